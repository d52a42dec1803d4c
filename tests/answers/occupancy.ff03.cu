// SPDX-License-Identifier: Apache-2.0
// mistake: a block that cannot be launched is answered at once, with the bit of the first reason only. Other
//   resources that allow 0 blocks, too, lose their bits: 2048 threads of 255 registers on an SM whose blocks may
//   have 1024 threads and whose 65536 registers hold 8 such warps: threads and registers both allow 0, limits
//   should be 3 and is 1. Too many threads and too much shared memory together give 1 instead of 5.
// want: A block is too large in two respects at once. Which bits does the contract want then, and how far does
//   your function get?
#include "occupancy.h"

#include <algorithm>
#include <climits>
#include <iterator>

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // Launches that fail. Nothing is resident then.
  if (use.threads_per_block > sm.max_threads_per_block) return {0, 0.0, kLimitThreads};
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return {0, 0.0, kLimitSharedMemory};

  const int warps = (use.threads_per_block + 31) / 32;

  struct Resource {
    int bit;
    int blocks;
  };
  Resource resources[] = {
      {kLimitThreads, sm.max_threads / 32 / warps},
      {kLimitRegisters, sm.registers / 4 / round_up(use.registers * 32, sm.register_unit) * 4 / warps},
      {kLimitSharedMemory, INT_MAX},
      {kLimitBlocks, sm.max_blocks},
  };
  if (const int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit); bytes > 0) {
    resources[2].blocks = sm.shared_bytes / bytes;
  }

  const auto fewer = [](const Resource& a, const Resource& b) { return a.blocks < b.blocks; };
  const int least = std::min_element(std::begin(resources), std::end(resources), fewer)->blocks;

  Occupancy result = {least, 0.0, 0};
  for (const Resource& resource : resources) {
    if (resource.blocks == least) result.limits += resource.bit;
  }
  result.occupancy = 32.0 * warps * least / (sm.max_threads / 32 * 32);
  return result;
}
