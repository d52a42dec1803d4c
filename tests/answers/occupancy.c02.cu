// SPDX-License-Identifier: Apache-2.0
// mistake: 1. sets a resource's bit when it is at or below the least so far, and never takes bits back when a later
//   resource allows still fewer blocks: the first bit, kLimitBlocks, is always set. 2. computes the occupancy from
//   threads instead of warps, so that a block of 33 threads counts 33 and not 64.
// want: Shared memory allows 2 blocks, everything else more: which bits belong in limits, and which are in yours? When
//   do you know the least number? (Then: which part of the SM's places does a block of 33 threads take?)
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

int warps_in_block(KernelUse use) { return round_up(use.threads_per_block, 32) / 32; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  return use.threads_per_block > sm.max_threads_per_block ? 0 : sm.max_threads / 32 / warps_in_block(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int partition = sm.registers / 4;
  const int one_warp = round_up(use.registers * 32, sm.register_unit);
  const int warps = partition / one_warp * 4;
  return warps / warps_in_block(use);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int need = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (need == 0) return INT_MAX;
  return sm.shared_bytes / need;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int blocks[] = {sm.max_blocks, blocks_by_threads(sm, use), blocks_by_registers(sm, use),
                        blocks_by_shared_memory(sm, use)};
  const int bits[] = {kLimitBlocks, kLimitThreads, kLimitRegisters, kLimitSharedMemory};

  Occupancy result = {sm.max_blocks, 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    if (blocks[i] <= result.blocks) {
      result.blocks = blocks[i];
      result.limits |= bits[i];
    }
  }

  result.occupancy = double(result.blocks) * use.threads_per_block / sm.max_threads;
  return result;
}
