// SPDX-License-Identifier: Apache-2.0
// mistake: shared memory is rounded up to the unit once for all blocks together, not for each block. A100 (167936
//   bytes, unit 128, 1024 reserved), 32 threads, 32 registers, 17630 bytes: a block takes 18654, rounded 18688, and
//   8 fit. Here 9 x 18654 = 167886 is rounded to 167936, which fits, so it says 9 blocks.
// want: Two blocks with 1 byte above a multiple of the unit each: what do they take together by the header's rule,
//   and what in your fits_shared?
#include "occupancy.h"

// Does the SM hold k blocks, as far as this one resource goes? Then the answer is the greatest k that all four like.

static int up(int v, int unit) { return (v + unit - 1) / unit * unit; }

static bool fits_threads(SmLimits sm, KernelUse u, int k) {
  if (k > 0 && u.threads_per_block > sm.max_threads_per_block) return false;
  return k * up(u.threads_per_block, 32) <= sm.max_threads;
}

static bool fits_registers(SmLimits sm, KernelUse u, int k) {
  int per_warp = up(32 * u.registers, sm.register_unit);
  int warps_in_partition = sm.registers / 4 / per_warp;
  int warps = k * (up(u.threads_per_block, 32) / 32);
  return warps <= 4 * warps_in_partition;
}

static bool fits_shared(SmLimits sm, KernelUse u, int k) {
  if (k > 0 && u.shared_bytes > sm.max_shared_bytes_per_block) return false;
  int all = k * (u.shared_bytes + sm.reserved_shared_bytes);
  return up(all, sm.shared_unit) <= sm.shared_bytes;
}

static bool fits_blocks(SmLimits sm, int k) { return k <= sm.max_blocks; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  int k = 0;
  while (fits_threads(sm, use, k + 1) && fits_registers(sm, use, k + 1) && fits_shared(sm, use, k + 1) &&
         fits_blocks(sm, k + 1)) {
    ++k;
  }

  // whoever says no to one more is a limit
  int limits = 0;
  if (!fits_threads(sm, use, k + 1)) limits += kLimitThreads;
  if (!fits_registers(sm, use, k + 1)) limits += kLimitRegisters;
  if (!fits_shared(sm, use, k + 1)) limits += kLimitSharedMemory;
  if (!fits_blocks(sm, k + 1)) limits += kLimitBlocks;

  double share = double(k * up(use.threads_per_block, 32)) / up(sm.max_threads - 31, 32);
  return {k, share, limits};
}
