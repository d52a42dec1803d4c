// SPDX-License-Identifier: Apache-2.0
// mistake: registers are rounded up to 8 a thread, which is register_unit 256 for a warp; register_unit itself is not
//   read. Right for 256 only: with register_unit 512 and 40 registers a warp takes 1536 and not 1280, and of 65536
//   registers 10 warps a partition and 5 blocks of 256 threads come of it; here 12 and 6. (2048 threads, 32 blocks.)
// want: where does your code use sm.register_unit? What if a device gives out registers in portions of 512?
#include <climits>

#include "occupancy.h"

template <typename T>
static T up(T v, T unit) { return v % unit ? v + unit - v % unit : v; }

struct Need {
  int warps, registers_of_warp, shared;
};

static Need need(const SmLimits& sm, const KernelUse& use) {
  Need n;
  n.warps = up(use.threads_per_block, 32) / 32;
  n.registers_of_warp = up(use.registers, 8) * 32;  // 32 threads at once
  n.shared = up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return n;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const Need n = need(sm, use);

  int t = sm.max_threads / 32 / n.warps;
  if (use.threads_per_block > sm.max_threads_per_block) t = 0;

  // a warp cannot lie in two partitions
  const int in_partition = (sm.registers / 4) / n.registers_of_warp;
  const int r = (4 * in_partition) / n.warps;

  int s = INT_MAX;
  if (n.shared > 0) s = sm.shared_bytes / n.shared;
  if (use.shared_bytes > sm.max_shared_bytes_per_block) s = 0;

  Occupancy o{};
  o.blocks = sm.max_blocks;
  o.limits = kLimitBlocks;
  auto look = [&o](int allows, int bit) {
    if (allows < o.blocks) {
      o.blocks = allows;
      o.limits = bit;
    } else if (allows == o.blocks) {
      o.limits += bit;
    }
  };
  look(t, kLimitThreads);
  look(r, kLimitRegisters);
  look(s, kLimitSharedMemory);

  o.occupancy = 32.0 * n.warps * o.blocks / sm.max_threads;
  return o;
}
