// SPDX-License-Identifier: Apache-2.0
// mistake: blocks by registers is computed as if a block's warps were dealt out to the four partitions evenly,
//   ceil(warps / 4) to each; blocks of 1, 2, 3, 5, 6 ... warps come out too few (a block of one warp is charged
//   for a slot in all four partitions at once).
// want: Take blocks of a single warp: how many of them find their registers in one partition, and how many on the
//   whole SM? Does your formula agree, and what does it assume about where the warps of one block must lie?

#include <climits>

#include "occupancy.h"

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int round_up(int value, int unit) { return ceil_div(value, unit) * unit; }

static int warps_of(const KernelUse& use) { return ceil_div(use.threads_per_block, 32); }

static int blocks_by_threads(const SmLimits& sm, const KernelUse& use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / 32) / warps_of(use);
}

static int blocks_by_registers(const SmLimits& sm, const KernelUse& use) {
  const int partition = sm.registers / 4;
  const int per_warp = round_up(32 * use.registers, sm.register_unit);
  const int warps_in_partition = partition / per_warp;
  // a block's warps are spread over the four partitions
  const int block_in_partition = ceil_div(warps_of(use), 4);
  return warps_in_partition / block_in_partition;
}

static int blocks_by_shared_memory(const SmLimits& sm, const KernelUse& use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int takes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return takes == 0 ? INT_MAX : sm.shared_bytes / takes;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[4] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use),
                          blocks_by_shared_memory(sm, use), sm.max_blocks};
  const int bits[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  int least = INT_MAX;
  for (int a : allowed) {
    if (a < least) least = a;
  }

  int limits = 0;
  for (int i = 0; i < 4; ++i) {
    if (allowed[i] == least) limits |= bits[i];
  }

  const double most_warps = sm.max_threads / 32;
  return {least, least * warps_of(use) / most_warps, limits};
}
