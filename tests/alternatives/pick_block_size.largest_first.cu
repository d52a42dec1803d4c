// SPDX-License-Identifier: Apache-2.0
// differs: goes from the largest size down and takes only what is strictly better; 64-bit; early return where the SM is
// full. Windows line ends.

#include "pick_block_size.h"

namespace {

using Wide = long long;

constexpr Wide up(Wide value, Wide unit) { return (value + unit - 1) / unit * unit; }

Wide resident_warps(const SmLimits& sm, Wide warps, Wide registers, Wide bytes) {
  if (bytes > sm.max_shared_bytes_per_block) return 0;
  Wide blocks = sm.max_blocks;
  const auto limit = [&blocks](Wide other) {
    if (other < blocks) blocks = other;
  };
  limit(sm.max_threads / 32 / warps);
  limit(sm.registers / 4 / up(32 * registers, sm.register_unit) * 4 / warps);
  if (const Wide taken = up(bytes + sm.reserved_shared_bytes, sm.shared_unit); taken != 0) limit(sm.shared_bytes / taken);
  return blocks * warps;
}

}  // namespace

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  Wide most = 0;
  int best = 0;
  for (int threads = sm.max_threads_per_block / 32 * 32; threads != 0; threads -= 32) {
    const Wide warps = resident_warps(sm, threads / 32, registers, shared_bytes + Wide{1} * threads * shared_bytes_per_thread);
    if (warps > most) {
      most = warps;
      best = threads;
      if (most == sm.max_threads / 32) break;  // there are no more
    }
  }
  return best;
}
