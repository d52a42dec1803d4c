// SPDX-License-Identifier: Apache-2.0
// mistake: the search stops as soon as the SM is full, which gives the smallest of the sizes that are equally
//   good and full; below full occupancy ties are resolved rightly.
// want: which sizes fill the SM when nothing but threads limits, and which of them does the contract want?
//   Look at where the loop ends for a kernel with 32 registers and no shared memory.
#include "pick_block_size.h"

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static void limit(int& blocks, int other) {
  if (other < blocks) blocks = other;
}

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int warps = round_up(threads, 32) / 32;

  int blocks = sm.max_blocks;
  limit(blocks, sm.max_threads / 32 / warps);
  limit(blocks, sm.registers / 4 / round_up(registers * 32, sm.register_unit) * 4 / warps);
  const int shared = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared > 0) limit(blocks, sm.shared_bytes / shared);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  const int full = sm.max_threads / 32;
  int best = 0;
  int most_warps = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block && most_warps < full; threads += 32) {
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * threads / 32;
    if (warps > 0 && warps >= most_warps) {
      best = threads;
      most_warps = warps;
    }
  }
  return best;
}
