// SPDX-License-Identifier: Apache-2.0
// mistake: a block's warps are dealt out to the four partitions evenly, beginning with the same one each time,
//   so that a block of 1 warp (or 5) costs a place in each partition: right only where warps are a multiple of 4.
// want: how many warps of registers has the whole SM (four partitions together), and how many blocks of one warp
//   is that? Warps, not blocks, are placed in a partition.
#include <algorithm>
#include <climits>

#include "occupancy.h"

namespace {

constexpr int kWarp = 32;
constexpr int kPartitions = 4;

int ceil_div(int value, int unit) { return (value + unit - 1) / unit; }

struct Calculator {
  SmLimits sm;
  KernelUse use;
  int warps;  // of a block

  int by_threads() const {
    return use.threads_per_block > sm.max_threads_per_block ? 0 : sm.max_threads / kWarp / warps;
  }

  int by_registers() const {
    const int per_warp = ceil_div(use.registers * kWarp, sm.register_unit) * sm.register_unit;
    const int warps_in_partition = sm.registers / kPartitions / per_warp;
    const int block_in_partition = ceil_div(warps, kPartitions);
    return warps_in_partition / block_in_partition;
  }

  int by_shared_memory() const {
    if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
    const int units = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
    return units == 0 ? INT_MAX : sm.shared_bytes / (units * sm.shared_unit);
  }
};

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const Calculator c = {sm, use, ceil_div(use.threads_per_block, kWarp)};
  const int allowed[4] = {c.by_threads(), c.by_registers(), c.by_shared_memory(), sm.max_blocks};
  const int bits[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  Occupancy result = {*std::min_element(allowed, allowed + 4), 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    if (allowed[i] == result.blocks) result.limits |= bits[i];
  }
  result.occupancy = static_cast<double>(result.blocks * c.warps) / (sm.max_threads / kWarp);
  return result;
}
