// SPDX-License-Identifier: Apache-2.0
// mistake: blocks_by_registers gives every block ceil(warps / 4) warps in each partition, instead of filling
//   the four partitions with warps and dividing their total by a block's warps. 65536 registers, unit 256, 160
//   threads (5 warps) of 32 registers: a partition has room for 16 warps, all four for 64, which is 12 blocks;
//   this says 16 / 2 = 8. A block of one warp would get 16 instead of 64.
// want: Take blocks of one warp and a partition that holds 16 of them. How many blocks do your partitions hold
//   together, and how many of their places stay empty in your count?
#include <algorithm>
#include <climits>

#include "occupancy.h"

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

int round_up(int value, int unit) { return ceil_div(value, unit) * unit; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / round_up(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int partition = sm.registers / 4;
  const int warp_takes = round_up(32 * use.registers, sm.register_unit);
  const int warps_fit = partition / warp_takes;

  // the warps of a block go round the four partitions
  const int warps_of_block = ceil_div(use.threads_per_block, 32);
  const int warps_of_block_here = ceil_div(warps_of_block, 4);
  return warps_fit / warps_of_block_here;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int takes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return takes ? sm.shared_bytes / takes : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int t = blocks_by_threads(sm, use);
  const int r = blocks_by_registers(sm, use);
  const int s = blocks_by_shared_memory(sm, use);
  const int blocks = std::min({t, r, s, sm.max_blocks});

  int limits = 0;
  limits |= t == blocks ? kLimitThreads : 0;
  limits |= r == blocks ? kLimitRegisters : 0;
  limits |= s == blocks ? kLimitSharedMemory : 0;
  limits |= sm.max_blocks == blocks ? kLimitBlocks : 0;

  const int resident = blocks * ceil_div(use.threads_per_block, 32);
  return {blocks, resident / double(sm.max_threads / 32), limits};
}
