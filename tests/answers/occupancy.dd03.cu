// SPDX-License-Identifier: Apache-2.0
// mistake: max_shared_bytes_per_block is compared with what a block takes (with the reserved bytes, rounded up), not with what it
//   asks for. 167936 bytes, 166912 a block, 1024 reserved, unit 128: a block that asks for 166912 takes 167936 and is
//   resident once; this says 0 blocks. Wrong for all that ask for more than 165888 and at most 166912.
// want: Which number does the header compare with max_shared_bytes_per_block: what a block asks for, or what it takes? Try a
//   block that asks for exactly the maximum.
#include <climits>

#include "occupancy.h"

struct Resource {
  int have;
  int need;
  int bit;
  bool launchable;
};

static int blocks_of(const Resource& r) {
  if (!r.launchable) return 0;
  return r.need == 0 ? INT_MAX : r.have / r.need;
}

template <typename T>
T up(T value, T unit) {
  return (value + (unit - 1)) / unit * unit;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = up(use.threads_per_block, 32) / 32;
  const int max_warps = sm.max_threads / 32;
  const int register_warps = 4 * ((sm.registers / 4) / up(32 * use.registers, sm.register_unit));
  const int shared = up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);

  const Resource resources[] = {
      {max_warps, warps, kLimitThreads, use.threads_per_block <= sm.max_threads_per_block},
      {register_warps, warps, kLimitRegisters, true},
      {sm.shared_bytes, shared, kLimitSharedMemory, shared <= sm.max_shared_bytes_per_block},
      {sm.max_blocks, 1, kLimitBlocks, true},
  };

  int least = INT_MAX;
  for (const Resource& r : resources) {
    if (blocks_of(r) < least) least = blocks_of(r);
  }
  int limits = 0;
  for (const Resource& r : resources) {
    if (blocks_of(r) == least) limits |= r.bit;
  }
  return {least, double(least) * warps / max_warps, limits};
}
