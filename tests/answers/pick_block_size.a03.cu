// SPDX-License-Identifier: Apache-2.0
// mistake: 1. never uses shared_bytes_per_thread: each size is asked with the same shared memory. 2. the most BLOCKS
//   win, not the most resident warps.
// want: Which of the four parameters does your loop not use? A block's shared memory grows with its threads. (Then: 32
//   blocks of one warp or 2 blocks of 32 warps: which has more warps resident?)
#include <climits>

#include "pick_block_size.h"

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  int warps = round_up(threads, 32) / 32;
  int result = sm.max_blocks;

  int by_threads = (sm.max_threads / 32) / warps;
  if (by_threads < result) result = by_threads;

  int by_regs = ((sm.registers / 4) / round_up(32 * registers, sm.register_unit)) * 4 / warps;
  if (by_regs < result) result = by_regs;

  int shared = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared > 0 && sm.shared_bytes / shared < result) result = sm.shared_bytes / shared;

  return result;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int best_so_far = 1;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    int resident = blocks_per_sm(sm, threads, registers, shared_bytes);
    if (resident >= best_so_far) {
      best_so_far = resident;
      best = threads;
    }
  }
  return best;
}
