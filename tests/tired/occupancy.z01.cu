// SPDX-License-Identifier: Apache-2.0
// mistake: What a block may ask for at most is compared with what it takes, reserved bytes included and rounded up. With
//   an SM of 167936 bytes, 166912 at most per block, 1024 reserved, unit 128, a block that asks for 166912 can be
//   launched once (shared memory allows 1), but the answer is 0 blocks.
// want: The header says of max_shared_bytes_per_block what is held against it. Which number of yours is that, for a block
//   that asks for exactly the most?
#include <algorithm>
#include <climits>

#include "occupancy.h"

namespace {

int ceil_to(int v, int unit) {
  const int rest = v % unit;
  return rest == 0 ? v : v + unit - rest;
}

int warps_of(int threads) { return (threads + 31) / 32; }

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = warps_of(use.threads_per_block);
  const int max_warps = sm.max_threads / 32;

  struct {
    int bit;
    int blocks;
  } resource[4] = {
      {kLimitThreads, max_warps / warps},
      {kLimitRegisters, 0},
      {kLimitSharedMemory, INT_MAX},
      {kLimitBlocks, sm.max_blocks},
  };

  if (use.threads_per_block > sm.max_threads_per_block) resource[0].blocks = 0;

  // a warp cannot be split between partitions
  const int registers_of_warp = ceil_to(32 * use.registers, sm.register_unit);
  resource[1].blocks = 4 * (sm.registers / 4 / registers_of_warp) / warps;

  const int bytes = ceil_to(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes > sm.max_shared_bytes_per_block) {
    resource[2].blocks = 0;
  } else if (bytes > 0) {
    resource[2].blocks = sm.shared_bytes / bytes;
  }

  Occupancy o = {INT_MAX, 0.0, 0};
  for (const auto& r : resource) {
    if (r.blocks < o.blocks) {
      o.blocks = r.blocks;
      o.limits = 0;
    }
    if (r.blocks == o.blocks) o.limits |= r.bit;
  }
  o.occupancy = static_cast<double>(o.blocks * warps) / max_warps;
  return o;
}
