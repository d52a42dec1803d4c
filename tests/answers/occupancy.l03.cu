// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) The occupancy is resident threads over max_threads instead of resident warps over the most warps: 32
//   blocks of 33 threads on 2048 places give 0.516 instead of 1. (2) >= instead of > at max_shared_bytes_per_block: a
//   block that asks for exactly the maximum can be launched, and here allows 0 blocks.
// want: A block of 33 threads: your blocks count two warps for it; what does your occupancy count? Do it in warps, too.
//   And a block with exactly max_shared_bytes_per_block: does it ask for more?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  const int warps_block = round_up(use.threads_per_block, 32) / 32;
  const int warps_sm = sm.max_threads / 32;
  return warps_sm / warps_block;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warps_block = round_up(use.threads_per_block, 32) / 32;
  const int regs_warp = round_up(32 * use.registers, sm.register_unit);
  const int warps_partition = sm.registers / 4 / regs_warp;
  return 4 * warps_partition / warps_block;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes >= sm.max_shared_bytes_per_block && use.shared_bytes > 0) return 0;
  const int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes == 0) return INT_MAX;
  return sm.shared_bytes / bytes;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int t = blocks_by_threads(sm, use);
  const int r = blocks_by_registers(sm, use);
  const int s = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  if (t < result.blocks) result.blocks = t;
  if (r < result.blocks) result.blocks = r;
  if (s < result.blocks) result.blocks = s;

  result.limits += t == result.blocks ? kLimitThreads : 0;
  result.limits += r == result.blocks ? kLimitRegisters : 0;
  result.limits += s == result.blocks ? kLimitSharedMemory : 0;
  result.limits += sm.max_blocks == result.blocks ? kLimitBlocks : 0;

  result.occupancy = 1.0 * result.blocks * use.threads_per_block / sm.max_threads;
  return result;
}
