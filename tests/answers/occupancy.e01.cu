// SPDX-License-Identifier: Apache-2.0
// mistake: the block's bytes together with the reserved ones, rounded up, are compared with what a block may ask
//   for; a block that asks for exactly the most allowed (or a little less) counts as one that cannot be launched.
// want: Which number does max_shared_bytes_per_block limit: what the kernel asks for, or what the SM takes away for
//   the block in the end? Try a block that asks for exactly that maximum.

#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(int threads) {
  return round_up(threads, 32) / 32;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / 32) / warps_of(use.threads_per_block);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int per_warp = round_up(32 * use.registers, sm.register_unit);
  const int warps = sm.registers / 4 / per_warp * 4;
  return warps / warps_of(use.threads_per_block);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  const int taken = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (taken == 0) return INT_MAX;
  // too large for one block
  if (taken > sm.max_shared_bytes_per_block) return 0;
  return sm.shared_bytes / taken;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[4] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use),
                          blocks_by_shared_memory(sm, use), sm.max_blocks};
  const int bits[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  int least = allowed[0];
  for (int i = 1; i < 4; ++i) {
    if (allowed[i] < least) least = allowed[i];
  }

  Occupancy result = {least, 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    if (allowed[i] == least) result.limits |= bits[i];
  }
  result.occupancy = static_cast<double>(least * warps_of(use.threads_per_block)) / (sm.max_threads / 32);
  return result;
}
