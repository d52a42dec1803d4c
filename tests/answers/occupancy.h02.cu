// SPDX-License-Identifier: Apache-2.0
// mistake: two: the reserved bytes are added before the block is compared with max_shared_bytes_per_block, so that
//   a block that asks for just the maximum is refused; and the occupancy is taken from threads, not from whole
//   warps, so that blocks of 33 or 100 threads come out too low.
// want: May a block ask for exactly max_shared_bytes_per_block bytes, and whose are the reserved bytes in that
//   comparison? Then: a block of 33 threads, how many of the SM's places does it keep others out of, 33 or 64?

#include <algorithm>
#include <climits>

#include "occupancy.h"

static int round_up(int value, int unit) {
  const int rest = value % unit;
  return rest == 0 ? value : value + unit - rest;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = round_up(use.threads_per_block, 32) / 32;

  // threads
  int by_threads = (sm.max_threads / 32) / warps;
  if (use.threads_per_block > sm.max_threads_per_block) by_threads = 0;

  // registers: four partitions
  const int warp_registers = round_up(use.registers * 32, sm.register_unit);
  const int by_registers = (sm.registers / 4) / warp_registers * 4 / warps;

  // shared memory
  const int block_shared = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  int by_shared = INT_MAX;
  if (block_shared > 0) {
    by_shared = sm.shared_bytes / block_shared;
  }
  if (use.shared_bytes + sm.reserved_shared_bytes > sm.max_shared_bytes_per_block) {
    by_shared = 0;
  }

  Occupancy result;
  result.blocks = std::min(std::min(by_threads, by_registers), std::min(by_shared, sm.max_blocks));
  result.occupancy = (double)(result.blocks * use.threads_per_block) / sm.max_threads;
  result.limits = 0;
  if (by_threads == result.blocks) result.limits += kLimitThreads;
  if (by_registers == result.blocks) result.limits += kLimitRegisters;
  if (by_shared == result.blocks) result.limits += kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits += kLimitBlocks;
  return result;
}
