// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. A function on the host that computes what NVIDIA's occupancy calculator does. It
// knows the limit of blocks already; five places are marked TODO.
//
//   ./warplings check occupancy

#include <climits>

#include "occupancy.h"

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks that each resource alone allows; INT_MAX where it does not limit.

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  // TODO 1: how many warps does a block take, and how many does the SM have?
  return INT_MAX;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // TODO 2: how many warps find their registers in one partition? In all four? How many blocks is that?
  return INT_MAX;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  // TODO 3: what does a block take, rounded up? How often does it fit? Mind a block that takes nothing.
  return INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  // TODO 4: the least of the four numbers is result.blocks. Which of the four are equal to it? Add their
  // bits.

  // TODO 5: result.occupancy, from warps.
  return result;
}
