// SPDX-License-Identifier: Apache-2.0
// mistake: divides the SM's threads by the block's threads (max_threads / threads_per_block) instead of counting
//   whole warps: a block of 33 threads takes places for 64.
// want: A block of 33 threads takes how many warps, and so how many of the places for threads? Count both, block and
//   SM, in warps.
#include <algorithm>
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / use.threads_per_block;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warps_per_block = (use.threads_per_block + 31) / 32;
  const int per_warp = round_up(use.registers * 32, sm.register_unit);
  const int warps_per_partition = sm.registers / 4 / per_warp;
  return 4 * warps_per_partition / warps_per_block;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int per_block = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (per_block == 0) return INT_MAX;
  return sm.shared_bytes / per_block;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  result.blocks = std::min({sm.max_blocks, by_threads, by_registers, by_shared_memory});
  if (by_threads == result.blocks) result.limits += kLimitThreads;
  if (by_registers == result.blocks) result.limits += kLimitRegisters;
  if (by_shared_memory == result.blocks) result.limits += kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits += kLimitBlocks;

  const int warps = result.blocks * ((use.threads_per_block + 31) / 32);
  result.occupancy = (double)warps / (sm.max_threads / 32);
  return result;
}
