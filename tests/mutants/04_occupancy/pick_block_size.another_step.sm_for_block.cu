// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a block may have what the whole multiprocessor has.
#include "pick_block_size.h"

static int least(int a, int b) {
  return a < b ? a : b;
}

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.shared_bytes) return 0;
  const int warps = round_up(threads, 32) / 32;

  int blocks = least(sm.max_blocks, sm.max_threads / 32 / warps);
  const int registers_per_warp = round_up(registers * 32, sm.register_unit);
  blocks = least(blocks, 4 * (sm.registers / 4 / registers_per_warp) / warps);
  const int shared_per_block = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared_per_block > 0) blocks = least(blocks, sm.shared_bytes / shared_per_block);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * (threads / 32);
    if (warps > 0 && warps >= most_warps) {
      best = threads;
      most_warps = warps;
    }
  }
  return best;
}
