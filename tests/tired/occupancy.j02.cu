// SPDX-License-Identifier: Apache-2.0
// mistake: compares max_shared_bytes_per_block with what the block takes (reserved bytes added, rounded up), not with
//   what the kernel asks for. Shows only where a block asks for nearly all that it may: with 1024 reserved bytes,
//   kernels that ask for more than the maximum less 1024 bytes get 0 blocks, although they can be launched.
// want: The header says "a block that asks for more cannot be launched". A kernel asks for exactly
//   max_shared_bytes_per_block: which number does your comparison see, and who added to it?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) {
    return 0;
  }
  const int w = (use.threads_per_block + 31) / 32;
  const int W = sm.max_threads / 32;
  return W / w;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int w = (use.threads_per_block + 31) / 32;
  const int per_warp = round_up(32 * use.registers, sm.register_unit);
  const int W = (sm.registers / 4) / per_warp * 4;  // warps in all four partitions
  return W / w;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  int need = use.shared_bytes;
  need += sm.reserved_shared_bytes;
  need = round_up(need, sm.shared_unit);

  if (need == 0) {
    return INT_MAX;
  }
  if (need > sm.max_shared_bytes_per_block) {
    return 0;  // does not start at all
  }
  return sm.shared_bytes / need;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  if (by_threads < result.blocks) result.blocks = by_threads;
  if (by_registers < result.blocks) result.blocks = by_registers;
  if (by_shared_memory < result.blocks) result.blocks = by_shared_memory;

  if (by_threads == result.blocks) result.limits += kLimitThreads;
  if (by_registers == result.blocks) result.limits += kLimitRegisters;
  if (by_shared_memory == result.blocks) result.limits += kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits += kLimitBlocks;

  const int warps = result.blocks * ((use.threads_per_block + 31) / 32);
  result.occupancy = 1.0 * warps / (sm.max_threads / 32);
  return result;
}
