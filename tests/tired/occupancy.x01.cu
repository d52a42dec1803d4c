// SPDX-License-Identifier: Apache-2.0
// mistake: the register limit is computed as if each block had to spread its warps evenly over the four partitions:
//   warps per partition over ceil(warps of a block / 4). Blocks whose warps are no multiple of 4 are counted too
//   seldom. A100 (65536 registers, unit 256), 32 threads, 128 registers: a warp takes 4096, 4 fit in a partition, 16 in
//   all, so 16 blocks of one warp; this says 4 / 1 = 4 blocks, occupancy 4 / 64.
// want: Take a block of a single warp. How many such warps find their registers in the four partitions together, and
//   how many blocks does your register limit make of them? Does a block have to be in each partition?
#include "occupancy.h"

#include <algorithm>
#include <climits>

namespace {
constexpr int kWarp = 32;
constexpr int kPartitions = 4;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

int thread_limit(const SmLimits& sm, int warps) {
  return (sm.max_threads / kWarp) / warps;
}

int register_limit(const SmLimits& sm, const KernelUse& use, int warps) {
  const int warp_registers = ceil_div(use.registers * kWarp, sm.register_unit) * sm.register_unit;
  // each scheduler takes its share of the block's warps
  const int share = ceil_div(warps, kPartitions);
  const int room = (sm.registers / kPartitions) / warp_registers;
  return room / share;
}

int shared_limit(const SmLimits& sm, const KernelUse& use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  return taken > 0 ? sm.shared_bytes / taken : INT_MAX;
}
}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = ceil_div(use.threads_per_block, kWarp);
  const int allowed[4] = {
      use.threads_per_block > sm.max_threads_per_block ? 0 : thread_limit(sm, warps),
      register_limit(sm, use, warps),
      shared_limit(sm, use),
      sm.max_blocks,
  };

  Occupancy o{};
  o.blocks = *std::min_element(allowed, allowed + 4);
  for (int i = 0; i < 4; ++i) {
    if (allowed[i] == o.blocks) o.limits |= 1 << i;
  }
  o.occupancy = static_cast<double>(o.blocks * warps) / (sm.max_threads / kWarp);
  return o;
}
