// SPDX-License-Identifier: Apache-2.0
// mistake: where the block cannot be launched the function returns at once with one bit, though other resources
//   that allow 0 blocks as well belong to limits. On an A100, 2048 threads a block with 64 registers: threads allow
//   0, and so do registers (8 warps a partition, 32 in all, over 64 warps of a block). limits must be 1 + 2 = 3; this
//   says 1. Likewise where threads and shared memory are both too much: 5 is wanted, 1 comes out.
// want: What does `limits` mean when `blocks` is 0? Ask the question of each of the four resources for a block of 2048
//   threads with 64 registers each.
#include "occupancy.h"

#include <algorithm>
#include <climits>

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // First of all: can it be launched?
  if (use.threads_per_block > sm.max_threads_per_block) {
    return {0, 0.0, kLimitThreads};
  }
  if (use.shared_bytes > sm.max_shared_bytes_per_block) {
    return {0, 0.0, kLimitSharedMemory};
  }

  const int warps = (use.threads_per_block + 31) / 32;
  const int sm_warps = sm.max_threads / 32;

  struct {
    int blocks, bit;
  } resource[4];

  resource[0] = {sm_warps / warps, kLimitThreads};

  const int warp_registers = round_up(32 * use.registers, sm.register_unit);
  const int partition_warps = sm.registers / 4 / warp_registers;
  resource[1] = {4 * partition_warps / warps, kLimitRegisters};

  const int shared = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  resource[2] = {shared == 0 ? INT_MAX : sm.shared_bytes / shared, kLimitSharedMemory};

  resource[3] = {sm.max_blocks, kLimitBlocks};

  int least = INT_MAX;
  for (const auto& one : resource) least = std::min(least, one.blocks);
  int bits = 0;
  for (const auto& one : resource) {
    if (one.blocks <= least) bits += one.bit;
  }
  return {least, static_cast<double>(least * warps) / sm_warps, bits};
}
