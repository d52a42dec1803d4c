// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. This host function computes what NVIDIA's occupancy calculator shows. The limit on
// the number of blocks is already there; five places are marked TODO.
//
//   ./warplings check occupancy

#include <climits>

#include "occupancy.h"

// `value` rounded up to a multiple of `unit`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// How many blocks each resource alone allows; INT_MAX if it is no limit.

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  // TODO 1: how many warps does a block have, and how many warp slots does the SM have? When can the block
  // not be launched?
  return INT_MAX;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // TODO 2: how many warps fit into one partition? Into all four? How many whole blocks do they make?
  return INT_MAX;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  // TODO 3: how much does a block occupy, rounded up? How many times does that fit? What if it is 0? When
  // can the block not be launched?
  return INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  // TODO 4: result.blocks is the smallest of the four numbers. Which of the four are equal to it? Set the bit
  // of each.

  // TODO 5: how many warps are resident, and how many does the SM hold at most? Set result.occupancy.
  return result;
}
