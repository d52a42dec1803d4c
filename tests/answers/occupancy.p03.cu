// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the reserved bytes are counted against max_shared_bytes_per_block, which is a limit on what the
//   block asks for: 166912 bytes asked where 166912 is the most and 1024 are reserved can be launched, once on an SM of
//   167936 bytes; this says 0 blocks. And occupancy is threads over threads, not warps over warps: blocks of 33 threads,
//   32 resident on an SM of 2048 threads, are 64 warps of 64, so 1.0; this says 1056 / 2048 = 0.516.
// want: Which number does the contract compare with max_shared_bytes_per_block? Try a block that asks for exactly the
//   most it may.
#include <algorithm>
#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks that each resource alone allows; INT_MAX where it does not limit.

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads >> 5) / (round_up(use.threads_per_block, 32) >> 5);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warp = round_up(32 * use.registers, sm.register_unit);
  int warps = 0;
  for (int partition = 0; partition < 4; ++partition) warps += (sm.registers / 4) / warp;
  return warps / (round_up(use.threads_per_block, 32) / 32);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  // what the block really takes
  const int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  if (bytes == 0) return INT_MAX;
  if (bytes > sm.max_shared_bytes_per_block) return 0;
  return sm.shared_bytes / round_up(bytes, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  result.blocks = std::min({sm.max_blocks, by_threads, by_registers, by_shared_memory});
  if (result.blocks == by_threads) result.limits += kLimitThreads;
  if (result.blocks == by_registers) result.limits += kLimitRegisters;
  if (result.blocks == by_shared_memory) result.limits += kLimitSharedMemory;
  if (result.blocks == sm.max_blocks) result.limits += kLimitBlocks;

  const double resident = result.blocks * use.threads_per_block;
  result.occupancy = resident / sm.max_threads;
  return result;
}
