// SPDX-License-Identifier: Apache-2.0
// mistake: two. The running minimum starts at max_blocks, but its bit does not start with kLimitBlocks, so that the
//   limit of blocks is never reported. And occupancy is threads over threads: for a block of 33 threads it is half
//   of what it should be.
// want: What does your `limits` hold for a kernel of tiny blocks, where nothing but max_blocks limits? And how many
//   warp slots does a block of 33 threads take away, and how many do you count for it?

#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  // rounding up to 32 threads = whole warps
  return sm.max_threads / round_up(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warps_per_block = (use.threads_per_block + 31) / 32;
  const int registers_per_warp = round_up(use.registers * 32, sm.register_unit);
  const int partition = sm.registers / 4;
  return 4 * (partition / registers_per_warp) / warps_per_block;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  return bytes == 0 ? INT_MAX : sm.shared_bytes / round_up(bytes, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  struct Row {
    int blocks;
    int bit;
  };
  const Row table[] = {
      {blocks_by_threads(sm, use), kLimitThreads},
      {blocks_by_registers(sm, use), kLimitRegisters},
      {blocks_by_shared_memory(sm, use), kLimitSharedMemory},
  };

  Occupancy result = {sm.max_blocks, 0.0, 0};
  for (const Row& row : table) {
    if (row.blocks < result.blocks) {
      result.blocks = row.blocks;
      result.limits = row.bit;  // the others are not the least any more
    } else if (row.blocks == result.blocks) {
      result.limits += row.bit;
    }
  }

  result.occupancy = 1.0 * result.blocks * use.threads_per_block / sm.max_threads;
  return result;
}
