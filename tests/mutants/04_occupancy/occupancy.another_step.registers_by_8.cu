// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a thread's registers are rounded up to 8, which is 256 a warp, as on each card that is
// sold.
#include <climits>

#include "occupancy.h"

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = round_up(use.threads_per_block, 32) / 32;
  const int by_threads = use.threads_per_block > sm.max_threads_per_block ? 0 : sm.max_threads / 32 / warps;
  const int per_warp = 32 * round_up(use.registers, 8);
  const int by_registers = 4 * (sm.registers / 4 / per_warp) / warps;
  const int taken = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  int by_shared = taken == 0 ? INT_MAX : sm.shared_bytes / taken;
  if (use.shared_bytes > sm.max_shared_bytes_per_block) by_shared = 0;
  const int blocks = smaller(smaller(by_threads, by_registers), smaller(by_shared, sm.max_blocks));
  int limits = by_threads == blocks ? kLimitThreads : 0;
  if (by_registers == blocks) limits += kLimitRegisters;
  if (by_shared == blocks) limits += kLimitSharedMemory;
  if (sm.max_blocks == blocks) limits += kLimitBlocks;
  return {blocks, double(blocks * warps) / (sm.max_threads / 32), limits};
}
