// SPDX-License-Identifier: Apache-2.0
// differs: every resource is a pair (what there is, what a block takes) in one table, the launch limits are two more
// rows with the same bit; recursion over the table; macros for rounding.

#include <climits>

#include "occupancy.h"

#define UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

struct Row {
  int bit;
  int have, take;  // take 0: takes nothing
  int blocks() const { return take == 0 ? INT_MAX : have / take; }
};

static int least(const Row* row, const Row* end) {
  if (row == end) return INT_MAX;
  const int here = row->blocks(), rest = least(row + 1, end);
  return here < rest ? here : rest;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = UP(use.threads_per_block, 32) / 32;
  const int too_many_threads = use.threads_per_block > sm.max_threads_per_block;
  const int too_much_memory = use.shared_bytes > sm.max_shared_bytes_per_block;
  const Row rows[] = {
      {kLimitThreads, sm.max_threads / 32, warps},
      {kLimitThreads, 0, too_many_threads},
      {kLimitRegisters, sm.registers / 4 / UP(use.registers * 32, sm.register_unit) * 4, warps},
      {kLimitSharedMemory, sm.shared_bytes, UP(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit)},
      {kLimitSharedMemory, 0, too_much_memory},
      {kLimitBlocks, sm.max_blocks, 1},
  };
  Occupancy result;
  result.blocks = least(rows, rows + sizeof rows / sizeof *rows);
  result.limits = 0;
  for (const Row& row : rows)
    if (row.blocks() == result.blocks) result.limits |= row.bit;
  result.occupancy = (double)(result.blocks * warps) / (double)(sm.max_threads / 32);
  return result;
}
#undef UP
