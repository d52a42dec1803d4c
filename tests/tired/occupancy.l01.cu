// SPDX-License-Identifier: Apache-2.0
// mistake: thinks that a block is dealt out over all four register partitions, so that it takes ceil(warps / 4) places in
//   each of them. A warp needs one partition, but a block need not touch all four: a block of one warp then counts as
//   four. (65,536 registers, 32 a thread, block of 32 threads: 16 blocks instead of 64; 64 a thread, block of 160: 4
//   instead of 6.)
// want: Take a block of a single warp. How many partitions does it use, and how many such blocks fit into four
//   partitions of 16 warps each? Count warps in all four first, and divide by the block's warps then.
#include <climits>

#include "occupancy.h"

static int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

static int allowed_by_threads(const SmLimits& sm, const KernelUse& k) {
  if (k.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / 32) / ceil_div(k.threads_per_block, 32);
}

static int allowed_by_registers(const SmLimits& sm, const KernelUse& k) {
  const int per_warp = ceil_div(32 * k.registers, sm.register_unit) * sm.register_unit;
  // each partition has a quarter of the registers
  const int warps_in_partition = (sm.registers / 4) / per_warp;
  // and gets a quarter of the block's warps
  const int warps_of_block = ceil_div(ceil_div(k.threads_per_block, 32), 4);
  return warps_in_partition / warps_of_block;
}

static int allowed_by_shared(const SmLimits& sm, const KernelUse& k) {
  if (k.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = ceil_div(k.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  return taken == 0 ? INT_MAX : sm.shared_bytes / taken;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[4] = {allowed_by_threads(sm, use), allowed_by_registers(sm, use), allowed_by_shared(sm, use),
                          sm.max_blocks};
  const int bit[4] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks};

  Occupancy o = {allowed[0], 0.0, 0};
  for (int a : allowed) {
    if (a < o.blocks) o.blocks = a;
  }
  for (int r = 0; r < 4; ++r) {
    if (allowed[r] == o.blocks) o.limits += bit[r];
  }
  const int warps = o.blocks * ceil_div(use.threads_per_block, 32);
  o.occupancy = double(warps) / (sm.max_threads / 32);
  return o;
}
