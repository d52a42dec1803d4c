// SPDX-License-Identifier: Apache-2.0
// mistake: counts registers as if each block spread its warps evenly over the four partitions and every block needed
//   ceil(warps / 4) places in each: blocks = (warps that fit in one partition) / ceil(warps / 4). A block of one warp
//   then blocks a place in all four partitions, so that its count is a quarter of the right one.
// want: A block has one warp. How many of the four partitions does it take registers from? How many warps find room on
//   the whole SM, and how many blocks of one warp is that?
#include <algorithm>
#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / 32) / ceil_div(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warp_regs = round_up(32 * use.registers, sm.register_unit);
  const int warps = ceil_div(use.threads_per_block, 32);

  // The hardware deals the warps of a block out to the 4 partitions, one after another.
  const int warps_each = ceil_div(warps, 4);
  const int room_each = (sm.registers / 4) / warp_regs;
  return room_each / warps_each;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return bytes > 0 ? sm.shared_bytes / bytes : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  result.blocks = std::min({sm.max_blocks, by_threads, by_registers, by_shared_memory});

  const auto bit = [&](int blocks, int flag) { return blocks == result.blocks ? flag : 0; };
  result.limits = bit(by_threads, kLimitThreads) | bit(by_registers, kLimitRegisters) |
                  bit(by_shared_memory, kLimitSharedMemory) | bit(sm.max_blocks, kLimitBlocks);

  const int warps = result.blocks * ceil_div(use.threads_per_block, 32);
  result.occupancy = static_cast<double>(warps) / (sm.max_threads / 32);
  return result;
}
