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
  // TODO 1: how many warps does a block have, and how many warp slots does the SM have?
  return INT_MAX;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // TODO 2: for how many warps does one partition have registers? All four? How many whole blocks is that?
  return INT_MAX;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  // TODO 3: how much does a block take, rounded up? How often does that fit? What if a block takes nothing?
  return INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  // TODO 4: result.blocks is the smallest of the four numbers. Which of the four are equal to it? Set the bit
  // of each.

  // TODO 5: work out result.occupancy from warps.
  return result;
}
