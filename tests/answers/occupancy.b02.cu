// SPDX-License-Identifier: Apache-2.0
// mistake: a block that cannot be launched leads to an early return with limits 0; the contract wants the
//   resource that allows 0 blocks (threads, or shared memory, or both) named in limits.
// want: what keeps an SM from taking a block of 2048 threads? Look at the bits of your result where blocks is 0:
//   a resource that allows 0 blocks allows no more than result.blocks.
#include <climits>

#include "occupancy.h"

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, int warps) {
  return sm.max_threads / 32 / warps;
}

static int blocks_by_registers(SmLimits sm, KernelUse use, int warps) {
  const int per_warp = round_up(use.registers * 32, sm.register_unit);
  return 4 * (sm.registers / 4 / per_warp) / warps;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  const int per_block = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return per_block > 0 ? sm.shared_bytes / per_block : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  Occupancy result = {0, 0.0, 0};

  // Cannot be launched at all.
  if (use.threads_per_block > sm.max_threads_per_block) return result;
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return result;

  const int warps = round_up(use.threads_per_block, 32) / 32;
  const int by_threads = blocks_by_threads(sm, warps);
  const int by_registers = blocks_by_registers(sm, use, warps);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  result.blocks = sm.max_blocks;
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared_memory < result.blocks) result.blocks = by_shared_memory;

  if (by_threads <= result.blocks) result.limits += kLimitThreads;
  if (by_registers <= result.blocks) result.limits += kLimitRegisters;
  if (by_shared_memory <= result.blocks) result.limits += kLimitSharedMemory;
  if (sm.max_blocks <= result.blocks) result.limits += kLimitBlocks;

  result.occupancy = double(result.blocks) * warps * 32 / sm.max_threads;
  return result;
}
