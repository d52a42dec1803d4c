// SPDX-License-Identifier: Apache-2.0
// mistake: a block that cannot be launched returns early with one bit only; where a second resource allows 0 blocks
//   as well (too many threads and too much shared memory, or registers that do not suffice for a block of that
//   size), its bit is missing from limits.
// want: Think of a block with too many threads AND too much shared memory. Which resources alone would allow no
//   block at all, and which of them does your function get to look at?

#include <climits>

#include "occupancy.h"

template <typename T>
static T least_multiple(T value, T unit) {
  return (value + unit - 1) / unit * unit;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // not launchable at all, then there is nothing to compute
  if (use.threads_per_block > sm.max_threads_per_block) return {0, 0.0, kLimitThreads};
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return {0, 0.0, kLimitSharedMemory};

  const int block_warps = (use.threads_per_block + 31) / 32;
  const int sm_warps = sm.max_threads / 32;

  const int by_threads = sm_warps / block_warps;

  const int registers_per_warp = least_multiple(32 * use.registers, sm.register_unit);
  const int warps_with_registers = 4 * ((sm.registers / 4) / registers_per_warp);
  const int by_registers = warps_with_registers / block_warps;

  const int bytes = least_multiple(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = bytes > 0 ? sm.shared_bytes / bytes : INT_MAX;

  int blocks = sm.max_blocks;
  int limits = kLimitBlocks;
  auto consider = [&](int allowed, int bit) {
    if (allowed < blocks) {
      blocks = allowed;
      limits = bit;
    } else if (allowed == blocks) {
      limits |= bit;
    }
  };
  consider(by_threads, kLimitThreads);
  consider(by_registers, kLimitRegisters);
  consider(by_shared, kLimitSharedMemory);

  return {blocks, 1.0 * blocks * block_warps / sm_warps, limits};
}
