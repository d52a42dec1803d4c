// SPDX-License-Identifier: Apache-2.0
// mistake: registers: every block is taken to need ceil(warps / 4) places in each of the four partitions, as if a new
//   block always began at the first partition and left the others' places unused. By the contract the warps of all
//   partitions count together: 4 x warps per partition, over the block's warps. 65,536 registers, unit 256, 32
//   registers a thread: 16 warps a partition, 64 in all. Blocks of 192 threads (6 warps): 64 / 6 = 10 by registers,
//   the student gets 16 / 2 = 8. Blocks of 32: 64, the student gets 16. Multiples of 128 threads come out right.
// want: Your answer holds for blocks of 128 and 256 threads. Take blocks of one warp: how many of them does your
//   register function let into a partition, and which partitions do the other warps of this SM use?
#include "occupancy.h"

#include <algorithm>
#include <climits>

namespace {

constexpr int kWarp = 32;
constexpr int kPartitions = 4;

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int up(int a, int unit) { return ceil_div(a, unit) * unit; }

int threads_allow(const SmLimits& sm, const KernelUse& use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / kWarp) / ceil_div(use.threads_per_block, kWarp);
}

int registers_allow(const SmLimits& sm, const KernelUse& use) {
  const int a_warp = up(kWarp * use.registers, sm.register_unit);
  const int a_partition = sm.registers / kPartitions;
  const int warps_in_partition = a_partition / a_warp;
  // the block's warps are dealt out to the four partitions
  const int taken_in_partition = ceil_div(ceil_div(use.threads_per_block, kWarp), kPartitions);
  return warps_in_partition / taken_in_partition;
}

int shared_allows(const SmLimits& sm, const KernelUse& use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int a_block = up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return a_block ? sm.shared_bytes / a_block : INT_MAX;
}

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // in the order of the bits, so that entry i has bit 1 << i
  const int allowed[4] = {threads_allow(sm, use), registers_allow(sm, use), shared_allows(sm, use), sm.max_blocks};
  Occupancy o{};
  o.blocks = *std::min_element(allowed, allowed + 4);
  for (int i = 0; i < 4; ++i) {
    o.limits |= (allowed[i] == o.blocks) << i;
  }
  o.occupancy = 1.0 * o.blocks * ceil_div(use.threads_per_block, kWarp) / (sm.max_threads / kWarp);
  return o;
}
