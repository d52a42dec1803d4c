// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the test whether a block can be launched counts the reserved bytes, too, though the limit is on
//   what the block asks for: an A100 (max_shared_bytes_per_block 166,912, reserved 1024) runs one block that asks for
//   166,912 bytes (together 167,936, all there is), and the student returns 0. And where the block cannot be launched
//   the function returns at once with the first reason alone: 2048 threads and 200,000 bytes on an A100 must give
//   kLimitThreads and kLimitSharedMemory (5; and kLimitRegisters, too, with 255 registers), the student gives 1.
// want: What does the header compare with max_shared_bytes_per_block: what a block asks for, or what it takes?
#include "occupancy.h"

#include <climits>

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return value % unit ? value + unit - value % unit : value;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  Occupancy result = {0, 0.0, 0};

  const int warps = round_up(use.threads_per_block, 32) / 32;
  const int smem = use.shared_bytes + sm.reserved_shared_bytes;

  // first of all: does it start?
  if (use.threads_per_block > sm.max_threads_per_block) {
    result.limits = kLimitThreads;
    return result;
  }
  if (smem > sm.max_shared_bytes_per_block) {
    result.limits = kLimitSharedMemory;
    return result;
  }

  int by_threads = 0;
  while ((by_threads + 1) * warps <= sm.max_threads / 32) ++by_threads;

  const int regs_per_warp = round_up(use.registers * 32, sm.register_unit);
  const int by_registers = 4 * (sm.registers / 4 / regs_per_warp) / warps;

  const int by_shared = smem > 0 ? sm.shared_bytes / round_up(smem, sm.shared_unit) : INT_MAX;

  result.blocks = sm.max_blocks;
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared < result.blocks) result.blocks = by_shared;

  if (by_threads == result.blocks) result.limits |= kLimitThreads;
  if (by_registers == result.blocks) result.limits |= kLimitRegisters;
  if (by_shared == result.blocks) result.limits |= kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits |= kLimitBlocks;

  result.occupancy = double(result.blocks * warps) / (sm.max_threads / 32);
  return result;
}
