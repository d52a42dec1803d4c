// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a block's warps are dealt evenly to the four partitions, and each block is charged with its
//   fullest partition, so that space for whole warps is lost (65536 registers, unit 256, 72 registers a thread: 7
//   warps in a partition, 28 in all; blocks of 6 warps: 4, the answer says 7 / 2 = 3; blocks of one warp at 255
//   registers: 8, the answer says 2). And shared memory is taken as no limit when the kernel asks for none, though
//   the reserved bytes are taken all the same (8192 bytes on the SM, 1024 reserved, unit 128, nothing asked for: 8
//   blocks; the answer lets it pass without limit).
// want: Take blocks of a single warp with 255 registers. How many such warps find room in all four partitions together,
//   and how many blocks is that? What does your function say?
#include <algorithm>
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_in(const KernelUse& use) {
  return round_up(use.threads_per_block, 32) / 32;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / warps_in(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warp = round_up(use.registers * 32, sm.register_unit);
  const int room = sm.registers / 4 / warp;           // warps that one partition takes
  const int wanted = round_up(warps_in(use), 4) / 4;  // warps of a block that land in it
  return room / wanted;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  if (use.shared_bytes == 0) return INT_MAX;
  return sm.shared_bytes / round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use), blocks_by_shared_memory(sm, use),
                         sm.max_blocks};

  Occupancy result = {*std::min_element(allowed, allowed + 4), 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    // the bits are in this order
    if (allowed[i] == result.blocks) result.limits += 1 << i;
  }
  result.occupancy = double(result.blocks) * warps_in(use) / (sm.max_threads / 32);
  return result;
}
