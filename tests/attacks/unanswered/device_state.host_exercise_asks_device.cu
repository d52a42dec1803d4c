// SPDX-License-Identifier: Apache-2.0
// exercise: occupancy
// verdict: not passed
// must not: pass
// "Nothing is launched": the right answer, and the device is asked and a kernel launched all the same.

#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of_block(KernelUse use) {
  return round_up(use.threads_per_block, 32) / 32;
}

// Blocks that each resource alone allows; INT_MAX where it does not limit.

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / warps_of_block(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // 33 registers cost as much as 40: 33 x 32 = 1056, which is rounded up to 1280. That is the cliff.
  const int per_warp = round_up(use.registers * 32, sm.register_unit);
  // A warp stays in its partition, so what is left over in two partitions does not make room for one more.
  const int warps = 4 * (sm.registers / 4 / per_warp);
  return warps / warps_of_block(use);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int per_block = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (per_block == 0) return INT_MAX;
  return sm.shared_bytes / per_block;
}

__global__ void k() {}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  int n = 0;
  cudaDeviceGetAttribute(&n, cudaDevAttrMaxThreadsPerBlock, 0);
  k<<<1, 1>>>();
  cudaDeviceSynchronize();
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared_memory < result.blocks) result.blocks = by_shared_memory;

  // Each by itself: two that are reached together both have to be eased before another block fits.
  if (by_threads == result.blocks) result.limits |= kLimitThreads;
  if (by_registers == result.blocks) result.limits |= kLimitRegisters;
  if (by_shared_memory == result.blocks) result.limits |= kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits |= kLimitBlocks;

  result.occupancy = result.blocks * warps_of_block(use) / (sm.max_threads / 32.0);
  return result;
}
