// SPDX-License-Identifier: Apache-2.0
// mistake: For a block that cannot be launched the function returns at once with a single bit, though other resources
//   may allow 0 blocks, too. 2048 threads where 1024 are allowed, 255 registers (65536, unit 256): registers allow
//   8 warps, so 0 blocks of 64 warps, and limits is 3; the answer is 1. With too many threads and too much shared
//   memory at once, 5 is right and the answer is again 1.
// want: A block has too many threads, and asks for too much shared memory as well. Which resources alone would allow no
//   block at all, and which of them does your answer name?
#include <climits>

#include "occupancy.h"

#define WARP 32
#define PARTITIONS 4

static int div_up(int a, int b) { return (a + b - 1) / b; }

static Occupancy not_launchable(int why) { return Occupancy{0, 0.0, why}; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // First of all: does it start at all?
  if (use.threads_per_block > sm.max_threads_per_block) return not_launchable(kLimitThreads);
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return not_launchable(kLimitSharedMemory);

  int block_warps = div_up(use.threads_per_block, WARP);
  int sm_warps = sm.max_threads / WARP;

  // threads
  int t = sm_warps / block_warps;

  // registers. One partition's warps, times four; blocks may spread over all of them.
  int per_warp = div_up(use.registers * WARP, sm.register_unit) * sm.register_unit;
  int in_partition = (sm.registers / PARTITIONS) / per_warp;
  int r = in_partition * PARTITIONS / block_warps;

  // shared memory
  int s = INT_MAX;
  int portions = div_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (portions != 0) s = sm.shared_bytes / (portions * sm.shared_unit);

  int least = sm.max_blocks;
  if (t < least) least = t;
  if (r < least) least = r;
  if (s < least) least = s;

  Occupancy result;
  result.blocks = least;
  result.limits = kLimitThreads * (t == least) + kLimitRegisters * (r == least) + kLimitSharedMemory * (s == least) +
                  kLimitBlocks * (sm.max_blocks == least);
  result.occupancy = 1.0 * least * block_warps / sm_warps;
  return result;
}
