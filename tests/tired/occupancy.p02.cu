// SPDX-License-Identifier: Apache-2.0
// mistake: what cannot be launched returns at once, with the bit of the first reason found; limits is to hold every
//   resource that allows 0 blocks. 2048 threads of 16 registers where 1024 is the most, and 300000 bytes where 166912 is: threads and
//   shared memory both allow 0, limits 5; this says 1. So also 1056 threads of 255 registers: threads and registers
//   allow 0, limits 3, this says 1.
// want: A block that has too many threads and asks for too much shared memory, too: which bits does the contract want?
//   Which of your lines is the last one to run?
#include <climits>

#include "occupancy.h"

static int round_up(int value, int unit) {
  int rest = value % unit;
  return rest == 0 ? value : value + unit - rest;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  Occupancy result = {0, 0.0, 0};

  // Can it be launched at all?
  if (use.threads_per_block > sm.max_threads_per_block) {
    result.limits = kLimitThreads;
    return result;
  }
  if (use.shared_bytes > sm.max_shared_bytes_per_block) {
    result.limits = kLimitSharedMemory;
    return result;
  }

  const int warps = round_up(use.threads_per_block, 32) / 32;
  const int max_warps = sm.max_threads / 32;

  int threads = max_warps / warps;

  // warps with registers in a quarter of the register file, times four quarters
  int quarter = sm.registers / 4;
  int registers = quarter / round_up(use.registers * 32, sm.register_unit) * 4 / warps;

  int shared = INT_MAX;
  int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes > 0) shared = sm.shared_bytes / bytes;

  int least = sm.max_blocks;
  if (threads < least) least = threads;
  if (registers < least) least = registers;
  if (shared < least) least = shared;

  result.blocks = least;
  result.occupancy = (double)(least * warps) / max_warps;
  result.limits = (threads <= least ? kLimitThreads : 0) + (registers <= least ? kLimitRegisters : 0) +
                  (shared <= least ? kLimitSharedMemory : 0) + (sm.max_blocks <= least ? kLimitBlocks : 0);
  return result;
}
