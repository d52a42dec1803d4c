// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the reserved bytes are counted when it is decided whether the block can be launched, so
//   that one that asks for exactly max_shared_bytes_per_block (166912 on an A100, with 1024 reserved) gets 0
//   blocks instead of 1. And the bits of earlier, larger minima are never taken away: with max_blocks 32, threads
//   allowing 8 and registers 10, limits is kLimitBlocks + kLimitThreads, where kLimitThreads alone is right.
// want: When a resource turns out to allow fewer blocks than the least so far, what becomes of the bits that you
//   have collected up to then?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  const int over = value % unit;
  return over == 0 ? value : value + unit - over;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int block_warps = round_up(use.threads_per_block, 32) / 32;
  const int sm_warps = sm.max_threads / 32;

  int allowed[3] = {0, 0, 0};
  const int bits[3] = {kLimitThreads, kLimitRegisters, kLimitSharedMemory};

  if (use.threads_per_block <= sm.max_threads_per_block) {
    allowed[0] = sm_warps / block_warps;
  }

  const int per_partition = (sm.registers / 4) / round_up(use.registers * 32, sm.register_unit);
  allowed[1] = 4 * per_partition / block_warps;

  // everything that the block takes, the driver's share included
  const int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  if (bytes == 0) {
    allowed[2] = INT_MAX;
  } else if (bytes <= sm.max_shared_bytes_per_block) {
    allowed[2] = sm.shared_bytes / round_up(bytes, sm.shared_unit);
  }

  Occupancy result = {sm.max_blocks, 0.0, kLimitBlocks};
  for (int k = 0; k < 3; ++k) {
    if (allowed[k] <= result.blocks) {
      result.blocks = allowed[k];
      result.limits += bits[k];
    }
  }
  result.occupancy = static_cast<double>(result.blocks * block_warps) / sm_warps;
  return result;
}
