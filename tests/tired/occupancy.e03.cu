// SPDX-License-Identifier: Apache-2.0
// mistake: each block is thought to be spread evenly over the four partitions, ceil(warps / 4) in each of them, so
//   that registers allow too few blocks wherever a block's warps are no multiple of 4 (a quarter for one warp).
// want: For blocks of a single warp: where do the registers of the second, the third and the fourth block come from
//   in your count? Is a block tied to partitions, or only each warp?

#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static constexpr int kWarp = 32;
static constexpr int kPartitions = 4;

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  const int warps = (use.threads_per_block + kWarp - 1) / kWarp;
  return sm.max_threads / kWarp / warps;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warps = (use.threads_per_block + kWarp - 1) / kWarp;
  const int per_warp = round_up(use.registers * kWarp, sm.register_unit);
  // what one partition can hold
  const int warps_of_partition = sm.registers / kPartitions / per_warp;
  // and what a block wants of it
  const int warps_in_partition = (warps + kPartitions - 1) / kPartitions;
  return warps_of_partition / warps_in_partition;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (taken == 0) return INT_MAX;
  return sm.shared_bytes / taken;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int t = blocks_by_threads(sm, use);
  const int r = blocks_by_registers(sm, use);
  const int s = blocks_by_shared_memory(sm, use);
  const int b = sm.max_blocks;

  int n = t;
  n = r < n ? r : n;
  n = s < n ? s : n;
  n = b < n ? b : n;

  Occupancy result;
  result.blocks = n;
  result.limits = (t == n ? kLimitThreads : 0) + (r == n ? kLimitRegisters : 0) +
                  (s == n ? kLimitSharedMemory : 0) + (b == n ? kLimitBlocks : 0);
  const int resident = n * ((use.threads_per_block + kWarp - 1) / kWarp);
  result.occupancy = resident / static_cast<double>(sm.max_threads / kWarp);
  return result;
}
