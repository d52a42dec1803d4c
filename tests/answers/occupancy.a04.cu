// SPDX-License-Identifier: Apache-2.0
// mistake: 1. rounds only the block's own shared bytes up to the unit and adds the reserved bytes after that; both
//   together are rounded up. 2. occupancy is a quotient of two ints, so that it is 0 or 1.
// want: resident_warps / all_warps: both are ints. What is 48 / 64 then? (Then: 1000 + 1024 bytes with a unit of 128:
//   what does the block take?)
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  int warps = round_up(use.threads_per_block, 32) / 32;
  return sm.max_threads / 32 / warps;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  int warps = round_up(use.threads_per_block, 32) / 32;
  int per_partition = sm.registers / 4;
  int per_warp = round_up(use.registers * 32, sm.register_unit);
  return per_partition / per_warp * 4 / warps;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  int bytes = round_up(use.shared_bytes, sm.shared_unit) + sm.reserved_shared_bytes;
  if (bytes == 0) return INT_MAX;  // takes nothing
  return sm.shared_bytes / bytes;
}

static int smaller(int a, int b) { return a < b ? a : b; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  const int least = smaller(smaller(by_threads, by_registers), smaller(by_shared_memory, sm.max_blocks));
  result.blocks = least;
  result.limits = (by_threads == least) * kLimitThreads + (by_registers == least) * kLimitRegisters +
                  (by_shared_memory == least) * kLimitSharedMemory + (sm.max_blocks == least) * kLimitBlocks;

  const int resident_warps = least * (round_up(use.threads_per_block, 32) / 32);
  const int all_warps = sm.max_threads / 32;
  result.occupancy = resident_warps / all_warps;
  return result;
}
