// SPDX-License-Identifier: Apache-2.0
// mistake: The registers are counted as if each block spread its warps evenly over the four partitions and took ceil(warps / 4)
//   places in each: a block of 1 warp then occupies a place in all four. 65536 registers, unit 256, 32 threads of 32
//   registers: 16 warps a partition, 64 in all, so registers allow 64 blocks; this says 16. Right where a block's warps are a multiple of 4.
// want: Take a block of one warp: in how many partitions are registers gone when it is resident? How many such warps fit into
//   all four?
#include "occupancy.h"

#include <algorithm>
#include <climits>

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = ceil_div(use.threads_per_block, 32);
  const int warp_slots = sm.max_threads / 32;

  int threads = warp_slots / warps;
  if (use.threads_per_block > sm.max_threads_per_block) threads = 0;

  // Registers: look at a single partition, the other three are the same.
  const int per_warp = ceil_div(32 * use.registers, sm.register_unit) * sm.register_unit;
  const int warps_here = sm.registers / 4 / per_warp;
  const int registers = warps_here / ceil_div(warps, 4);

  int shared = INT_MAX;
  const int per_block = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  if (use.shared_bytes > sm.max_shared_bytes_per_block) {
    shared = 0;
  } else if (per_block != 0) {
    shared = sm.shared_bytes / per_block;
  }

  const int blocks = std::min({threads, registers, shared, sm.max_blocks});

  int limits = 0;
  if (threads == blocks) limits |= kLimitThreads;
  if (registers == blocks) limits |= kLimitRegisters;
  if (shared == blocks) limits |= kLimitSharedMemory;
  if (sm.max_blocks == blocks) limits |= kLimitBlocks;

  return {blocks, static_cast<double>(blocks * warps) / warp_slots, limits};
}
