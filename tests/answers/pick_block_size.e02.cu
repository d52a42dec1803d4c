// SPDX-License-Identifier: Apache-2.0
// mistake: registers are rounded up for a whole block and taken from all the SM's registers, where they are rounded
//   for each warp and lie in one of four partitions: 40 registers seem to allow 51 warps where there are 48, and
//   sizes win that are not the best.
// want: Who gets registers, a block or a warp? How many warps with 1280 registers each fit into one partition of
//   16384, and what happens to the rest?

#include "pick_block_size.h"

template <typename T>
T round_to(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  int blocks = sm.max_blocks;

  const int warps = round_to(threads, 32) / 32;
  if (sm.max_threads / 32 / warps < blocks) blocks = sm.max_threads / 32 / warps;

  const int block_registers = round_to(warps * 32 * registers, sm.register_unit);
  if (sm.registers / block_registers < blocks) blocks = sm.registers / block_registers;

  const int block_bytes = round_to(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (block_bytes != 0 && sm.shared_bytes / block_bytes < blocks) blocks = sm.shared_bytes / block_bytes;

  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int best_warps = 1;  // fewer than one warp is no launch
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * threads / 32;
    if (warps >= best_warps) {
      best = threads;
      best_warps = warps;
    }
  }
  return best;
}
