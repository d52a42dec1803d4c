// SPDX-License-Identifier: Apache-2.0
// mistake: registers: every block is made to start with the first partition and to take ceil(warps / 4) warps' room in
//   each of the four, as if what is left beside a block were lost to the next. A block of 160 threads, 32 registers a
//   thread, 65536 registers, unit 256: 16 warps a partition, 64 in all, 64 / 5 = 12 blocks; this says 16 / 2 = 8.
//   Right where a block's warps are a multiple of 4.
// want: A block of 5 warps: how many warps find room in all four partitions, and may the sixth warp, the next block's
//   first, lie where the fifth did not?
#include <climits>
#include <algorithm>

#include "occupancy.h"

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / ceil_div(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // A warp's registers all lie in one partition, so count partition by partition.
  const int per_warp = ceil_div(32 * use.registers, sm.register_unit) * sm.register_unit;
  const int warps_in_partition = sm.registers / 4 / per_warp;
  // the warps of a block are dealt out to the four partitions
  const int warps_of_block = ceil_div(ceil_div(use.threads_per_block, 32), 4);
  return warps_in_partition / warps_of_block;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  return taken ? sm.shared_bytes / taken : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[4] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use),
                          blocks_by_shared_memory(sm, use), sm.max_blocks};
  Occupancy result = {};
  result.blocks = *std::min_element(allowed, allowed + 4);
  for (int b = 0; b < 4; ++b)
    if (allowed[b] == result.blocks) result.limits |= 1 << b;  // the bits are in this order
  result.occupancy = double(result.blocks * ceil_div(use.threads_per_block, 32)) / (sm.max_threads / 32);
  return result;
}
