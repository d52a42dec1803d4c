// SPDX-License-Identifier: Apache-2.0
// mistake: blocks_by_registers wants a whole block inside one partition: it divides the warps of one partition by the
//   warps of a block and multiplies by four afterwards. Only a warp must lie in one partition; a block's warps may
//   spread over all four. Shows where a block's warps do not divide those of a partition (6 warps, 16 in each
//   partition: 8 blocks instead of 10), and gives 0 blocks where a block has more warps than one partition holds (1024
//   threads with 32 registers).
// want: A block of 1024 threads with 32 registers: how many blocks does your blocks_by_registers allow, and does such a
//   kernel run on an A100? What exactly must lie in one partition according to the header, a warp or a block?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(KernelUse use) {
  return round_up(use.threads_per_block, 32) / 32;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / warps_of(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int partition = sm.registers / 4;
  const int regs_of_a_warp = round_up(use.registers * 32, sm.register_unit);

  // everything for one partition first ...
  const int warps_there = partition / regs_of_a_warp;
  const int blocks_there = warps_there / warps_of(use);

  // ... and there are four of them
  return 4 * blocks_there;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = use.shared_bytes + sm.reserved_shared_bytes;
  if (taken == 0) return INT_MAX;
  return sm.shared_bytes / round_up(taken, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[4] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use), blocks_by_shared_memory(sm, use),
                          sm.max_blocks};
  const int bits[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  Occupancy result = {INT_MAX, 0.0, 0};
  for (int a : allowed) {
    if (a < result.blocks) result.blocks = a;
  }
  for (int k = 0; k < 4; ++k) {
    if (allowed[k] == result.blocks) result.limits |= bits[k];
  }

  result.occupancy = static_cast<double>(result.blocks * warps_of(use)) / (sm.max_threads / 32);
  return result;
}
