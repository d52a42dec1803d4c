// SPDX-License-Identifier: Apache-2.0
// mistake: compares with > only, so that among equally good sizes the first, smallest one stays.
// want: 128 and 256 threads both fill the SM: which of the two does the contract want, and which one does > keep when
//   the loop comes from below?
#include <algorithm>
#include <climits>

#include "pick_block_size.h"

static int up(int v, int u) { return (v + u - 1) / u * u; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  const int warps_by_registers = sm.registers / 4 / up(registers * 32, sm.register_unit) * 4;
  blocks = std::min(blocks, warps_by_registers / warps);

  const int shared = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared > 0) blocks = std::min(blocks, sm.shared_bytes / shared);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * (threads / 32);
    if (warps > most_warps) {
      most_warps = warps;
      best = threads;
    }
  }
  return best;
}
