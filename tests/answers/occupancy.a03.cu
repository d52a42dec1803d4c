// SPDX-License-Identifier: Apache-2.0
// mistake: the limits are found by an if / else if chain, so that only the first of several limiting resources gets
//   its bit.
// want: 32 blocks of 64 threads on an SM with 2048 threads and 32 blocks: which resources would each alone stop at
//   32? Your chain stops at the first; the bits are to be added.
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  const int block_warps = (use.threads_per_block + 31) / 32;
  const int sm_warps = sm.max_threads / 32;
  return sm_warps / block_warps;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int block_warps = (use.threads_per_block + 31) / 32;
  const int one_partition = (sm.registers / 4) / round_up(use.registers * 32, sm.register_unit);
  return one_partition * 4 / block_warps;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (taken == 0) return INT_MAX;
  return sm.shared_bytes / taken;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared_memory < result.blocks) result.blocks = by_shared_memory;

  // which one was it?
  if (result.blocks == by_threads) {
    result.limits += kLimitThreads;
  } else if (result.blocks == by_registers) {
    result.limits += kLimitRegisters;
  } else if (result.blocks == by_shared_memory) {
    result.limits += kLimitSharedMemory;
  } else {
    result.limits += kLimitBlocks;
  }

  const int resident_warps = result.blocks * ((use.threads_per_block + 31) / 32);
  result.occupancy = 1.0 * resident_warps / (sm.max_threads / 32);
  return result;
}
