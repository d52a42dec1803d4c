// SPDX-License-Identifier: Apache-2.0
// mistake: the search starts with most = 0 and compares with >=, so that a size with no resident warp counts as
//   "equally good": where nothing can be launched the answer is the largest size, not 0.
// want: Follow the loop when every size gives 0 warps: what is best after it? A size with no resident warp is no
//   candidate at all.
#include <climits>

#include "pick_block_size.h"

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  auto round_up = [](int value, int unit) { return (value + unit - 1) / unit * unit; };

  const int warps = round_up(threads, 32) / 32;
  const int by_threads = threads > sm.max_threads_per_block ? 0 : sm.max_threads / 32 / warps;

  const int warp_registers = round_up(registers * 32, sm.register_unit);
  const int by_registers = (sm.registers / 4 / warp_registers) * 4 / warps;

  int by_shared = INT_MAX;
  if (shared_bytes > sm.max_shared_bytes_per_block) {
    by_shared = 0;
  } else {
    const int taken = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
    if (taken != 0) by_shared = sm.shared_bytes / taken;
  }

  int blocks = sm.max_blocks;
  if (by_threads < blocks) blocks = by_threads;
  if (by_registers < blocks) blocks = by_registers;
  if (by_shared < blocks) blocks = by_shared;
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * threads / 32;
    // the larger one wins a tie
    if (warps >= most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
