// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the limit of a launch, max_shared_bytes_per_block, is compared with the block's bytes plus the
//   reserved ones, so that a block that asks for exactly the greatest size (A100: 166912 bytes, 1024 reserved) gets 0
//   blocks and not 1. And limits holds one bit only, that of the first of the least numbers: 1024 threads with 32
//   registers on an A100 should say threads and registers (1 + 2), here it is 1.
// want: Two things to look at. May a block that asks for exactly max_shared_bytes_per_block be launched, and what do you
//   compare with that limit? And what should limits be when two resources are used up at the same time?
#include "occupancy.h"

#include <climits>
#include <cmath>

struct Limit {
  int blocks;
  int bit;
};

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps_per_block = (use.threads_per_block - 1) / 32 + 1;
  const int warps_per_sm = sm.max_threads / 32;

  // registers
  int regs = use.registers * 32;
  while (regs % sm.register_unit) ++regs;
  const int warps_by_regs = sm.registers / 4 / regs * 4;

  // shared memory
  int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  const bool too_big = bytes > sm.max_shared_bytes_per_block;
  if (bytes % sm.shared_unit != 0) bytes += sm.shared_unit - bytes % sm.shared_unit;

  Limit list[] = {
      {warps_per_sm / warps_per_block, kLimitThreads},
      {warps_by_regs / warps_per_block, kLimitRegisters},
      {bytes == 0 ? INT_MAX : sm.shared_bytes / bytes, kLimitSharedMemory},
      {sm.max_blocks, kLimitBlocks},
  };
  if (use.threads_per_block > sm.max_threads_per_block) list[0].blocks = 0;
  if (too_big) list[2].blocks = 0;

  Limit least = list[0];
  for (const Limit& l : list) {
    if (l.blocks < least.blocks) least = l;
  }
  return {least.blocks, 1.0 * least.blocks * warps_per_block / warps_per_sm, least.bit};
}
