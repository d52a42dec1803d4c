// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: rounds a block's own bytes and those of its threads up each for itself.
#include "pick_block_size.h"

static int least(int a, int b) {
  return a < b ? a : b;
}

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks of `threads` threads that are resident on one SM and take `taken` bytes of it each.
static int blocks_per_sm(SmLimits sm, int threads, int registers, int taken) {
  const int warps = threads / 32;
  int blocks = least(sm.max_blocks, sm.max_threads / 32 / warps);
  const int registers_per_warp = round_up(registers * 32, sm.register_unit);
  blocks = least(blocks, 4 * (sm.registers / 4 / registers_per_warp) / warps);
  if (taken > 0) blocks = least(blocks, sm.shared_bytes / taken);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = 0;
  const int of_block = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int of_threads = threads * shared_bytes_per_thread;
    if (shared_bytes + of_threads > sm.max_shared_bytes_per_block) continue;
    const int taken = of_block + round_up(of_threads, sm.shared_unit);
    const int warps = blocks_per_sm(sm, threads, registers, taken) * (threads / 32);
    if (warps > 0 && warps >= most_warps) {
      best = threads;
      most_warps = warps;
    }
  }
  return best;
}
