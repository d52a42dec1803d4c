// SPDX-License-Identifier: Apache-2.0
// mistake: a block with too many threads is answered at once with kLimitThreads alone, though other resources may allow 0
//   blocks, too. An A100's SM (2048 threads, 1024 a block, 65536 registers, unit 256), 2048 threads of 64
//   registers: 8 warps a partition, 32 in all, 64 are needed, so registers allow 0 as well, and limits is 3; here 1.
//   The same with too much shared memory (5 instead of 1). blocks and occupancy are right.
// want: limits names every resource that alone allows no more than `blocks` blocks. Which do, when a block has too many
//   threads and needs too many registers besides?
#include <algorithm>
#include <climits>

#include "occupancy.h"

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // Such a block never starts, so there is nothing to compute.
  if (use.threads_per_block > sm.max_threads_per_block) return {0, 0.0, kLimitThreads};

  const int warps = ceil_div(use.threads_per_block, 32);
  const int all_warps = sm.max_threads / 32;

  int allowed[4];  // in the order of the bits

  allowed[0] = all_warps / warps;

  const int per_warp = ceil_div(32 * use.registers, sm.register_unit) * sm.register_unit;
  allowed[1] = sm.registers / 4 / per_warp * 4 / warps;

  const int takes = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  allowed[2] = use.shared_bytes > sm.max_shared_bytes_per_block ? 0 : takes ? sm.shared_bytes / takes : INT_MAX;

  allowed[3] = sm.max_blocks;

  const int blocks = *std::min_element(allowed, allowed + 4);
  int bits = 0;
  for (int i = 0; i < 4; ++i) bits |= (allowed[i] == blocks) << i;

  return {blocks, double(blocks * warps) / all_warps, bits};
}
