// SPDX-License-Identifier: Apache-2.0
// mistake: occupancy is computed from resident threads over max_threads; the contract counts resident warps, and
//   a block of 33 threads has two of them (64 places), not 33.
// want: occupancy is warps over warps. How many warps do the resident blocks of 33 threads have, and how many
//   places for warps has the SM?
#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks that each resource alone allows; INT_MAX where it does not limit.

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / round_up(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int per_warp = round_up(use.registers * 32, sm.register_unit);
  const int warps = sm.registers / 4 / per_warp * 4;
  return warps * 32 / round_up(use.threads_per_block, 32);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int per_block = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return per_block == 0 ? INT_MAX : sm.shared_bytes / per_block;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared_memory < result.blocks) result.blocks = by_shared_memory;

  if (by_threads == result.blocks) result.limits += kLimitThreads;
  if (by_registers == result.blocks) result.limits += kLimitRegisters;
  if (by_shared_memory == result.blocks) result.limits += kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits += kLimitBlocks;

  result.occupancy = result.blocks * use.threads_per_block / static_cast<double>(sm.max_threads);
  return result;
}
