// SPDX-License-Identifier: Apache-2.0
// mistake: only ten customary sizes are tried, not every multiple of 32. With 65536 registers, unit 256, and 96
//   registers a thread a partition holds 5 warps, the SM 20: one block of 640 threads fills it and is the
//   largest such size; this finds 128, with 5 blocks. Going down with a strict comparison is right.
// want: Your list is a list of habits. Let the registers allow 20 warps on an SM: which size would take all of
//   them with one block?
#include <algorithm>
#include <climits>

#include "pick_block_size.h"

static int up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int warps = up(threads, 32) / 32;
  const int by_threads = sm.max_threads / 32 / warps;
  const int by_registers = (sm.registers / 4 / up(32 * registers, sm.register_unit)) * 4 / warps;
  const int shared = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = shared == 0 ? INT_MAX : sm.shared_bytes / shared;
  return std::min(std::min(by_threads, by_registers), std::min(by_shared, sm.max_blocks));
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  // from large to small, so that the first of several equals stays
  const int sizes[] = {1024, 768, 512, 384, 256, 192, 128, 96, 64, 32};
  int best = 0;
  int most = 0;
  for (const int threads : sizes) {
    if (threads > sm.max_threads_per_block) continue;
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * (threads / 32);
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
