// SPDX-License-Identifier: Apache-2.0
// mistake: divides the whole register file by a warp's registers; they lie in four partitions, and what is left over
//   in each of them is not enough for a warp together.
// want: A warp's registers must all come from one partition. How many whole warps fit into a quarter of the register
//   file, and so into all four?
#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(KernelUse use) {
  return round_up(use.threads_per_block, 32) / 32;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / 32) / warps_of(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int registers_of_warp = round_up(32 * use.registers, sm.register_unit);
  const int warps = sm.registers / registers_of_warp;
  return warps / warps_of(use);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return bytes > 0 ? sm.shared_bytes / bytes : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by[4] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use), blocks_by_shared_memory(sm, use),
                     sm.max_blocks};
  const int bit[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  Occupancy result = {sm.max_blocks, 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    if (by[i] < result.blocks) result.blocks = by[i];
  }
  for (int i = 0; i < 4; ++i) {
    if (by[i] == result.blocks) result.limits |= bit[i];
  }
  result.occupancy = result.blocks * warps_of(use) / (sm.max_threads / 32.0);
  return result;
}
