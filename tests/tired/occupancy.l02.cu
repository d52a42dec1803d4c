// SPDX-License-Identifier: Apache-2.0
// mistake: returns early for a block that cannot be launched, with the one bit that was noticed first. Other resources
//   may allow 0 blocks, too: 1056 threads of 255 registers (33 warps, of which registers allow 8) must give threads and
//   registers; too many threads and too much shared memory at the same time must give both.
// want: A block of 1056 threads with 255 registers each: how many blocks do registers alone allow? Your function has
//   returned before it asks. `limits` has a bit for every resource that allows no more than `blocks`, also when that is 0.
#include <algorithm>
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // Cannot be launched at all: nothing to compute.
  if (use.threads_per_block > sm.max_threads_per_block) return {0, 0.0, kLimitThreads};
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return {0, 0.0, kLimitSharedMemory};

  const int sm_warps = sm.max_threads / 32;
  const int warps = round_up(use.threads_per_block, 32) / 32;

  const int by_threads = sm_warps / warps;

  const int warp_registers = round_up(use.registers * 32, sm.register_unit);
  const int partition = sm.registers / 4;
  const int by_registers = partition / warp_registers * 4 / warps;

  const int block_shared = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = block_shared > 0 ? sm.shared_bytes / block_shared : INT_MAX;

  const int blocks = std::min({by_threads, by_registers, by_shared, sm.max_blocks});

  int limits = 0;
  if (by_threads == blocks) limits |= kLimitThreads;
  if (by_registers == blocks) limits |= kLimitRegisters;
  if (by_shared == blocks) limits |= kLimitSharedMemory;
  if (sm.max_blocks == blocks) limits |= kLimitBlocks;

  return {blocks, static_cast<double>(blocks * warps) / sm_warps, limits};
}
