// SPDX-License-Identifier: Apache-2.0
// mistake: registers: each block is taken to put ceil(warps / 4) warps into every partition, and a partition is
//   filled with such shares. The contract lets all four partitions together take 4 * floor(partition / warp) warps,
//   and divides these by a block's warps. A100, 192 threads (6 warps), 40 registers: a warp takes 1280, a partition of
//   16384 takes 12 warps, four take 48, 8 blocks; the code says 12 / 2 = 6.
// want: For 6 warps a block and room for 12 warps a partition: how many warps find a place in all, and how many blocks
//   is that? What does your function say?
#include "occupancy.h"

#include <algorithm>
#include <climits>

static int up(int value, int unit) { return (value + unit - 1) / unit * unit; }
static int ceil_div(int a, int b) { return (a + b - 1) / b; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = ceil_div(use.threads_per_block, 32);

  int allowed[4];

  // threads
  allowed[0] = use.threads_per_block > sm.max_threads_per_block ? 0 : sm.max_threads / 32 / warps;

  // registers: the warps of a block are spread over the four partitions
  const int partition = sm.registers / 4;
  const int warp_registers = up(32 * use.registers, sm.register_unit);
  allowed[1] = partition / warp_registers / ceil_div(warps, 4);

  // shared memory
  const int bytes = up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (use.shared_bytes > sm.max_shared_bytes_per_block) {
    allowed[2] = 0;
  } else {
    allowed[2] = bytes == 0 ? INT_MAX : sm.shared_bytes / bytes;
  }

  // blocks
  allowed[3] = sm.max_blocks;

  Occupancy result{*std::min_element(allowed, allowed + 4), 0.0, 0};
  for (int bit = 0; bit < 4; ++bit) {
    if (allowed[bit] == result.blocks) result.limits |= 1 << bit;
  }
  result.occupancy = static_cast<double>(result.blocks * warps) / (sm.max_threads / 32);
  return result;
}
