// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) compares the request plus the reserved bytes with max_shared_bytes_per_block, so that a block that
//   asks for exactly the most allowed counts as not launchable. (2) occupancy is resident threads over max_threads
//   instead of resident warps over warps: blocks of 33 threads come out at about half.
// want: max_shared_bytes_per_block limits what a block asks for; do the driver's reserved bytes belong to that? (Then:
//   occupancy counts warps. How many does a block of 33 threads keep?)
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int min2(int a, int b) { return a < b ? a : b; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int block_warps = round_up(use.threads_per_block, 32) / 32;
  const int sm_warps = sm.max_threads / 32;

  // threads
  int n_threads = sm_warps / block_warps;
  if (use.threads_per_block > sm.max_threads_per_block) n_threads = 0;

  // registers: warps in one partition x 4
  const int regs_of_warp = round_up(32 * use.registers, sm.register_unit);
  const int n_registers = (sm.registers / 4 / regs_of_warp) * 4 / block_warps;

  // shared memory
  int n_shared = INT_MAX;
  const int block_bytes = use.shared_bytes + sm.reserved_shared_bytes;
  if (use.shared_bytes > 0 && block_bytes > sm.max_shared_bytes_per_block) {
    n_shared = 0;
  } else {
    const int taken = round_up(block_bytes, sm.shared_unit);
    if (taken > 0) n_shared = sm.shared_bytes / taken;
  }

  Occupancy o;
  o.blocks = min2(min2(n_threads, n_registers), min2(n_shared, sm.max_blocks));
  o.limits = (n_threads == o.blocks ? kLimitThreads : 0) + (n_registers == o.blocks ? kLimitRegisters : 0) +
             (n_shared == o.blocks ? kLimitSharedMemory : 0) + (sm.max_blocks == o.blocks ? kLimitBlocks : 0);
  o.occupancy = (double)(o.blocks * use.threads_per_block) / sm.max_threads;
  return o;
}
