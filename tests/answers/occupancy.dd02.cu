// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the reserved bytes are taken from the SM once, not for each block: 167936 bytes, 1024 reserved, unit 128, a
//   block of 64 threads, 16 registers and 8192 bytes: 167936 / 9216 = 18 blocks; this says 166912 / 8192 = 20. And a
//   block that cannot be launched returns at once with one bit, though others may allow 0 blocks, too: 2048 threads of
//   255 registers: threads and registers both allow 0, limits is 3; this says 1.
// want: "that each block takes in addition": with 18 blocks resident, how many bytes has the driver taken, and how many in your
//   function?
#include "occupancy.h"

#include <climits>

int pad(int value, int unit) {
  const int rest = value % unit;
  return rest == 0 ? value : value + unit - rest;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // cannot be launched at all
  if (use.threads_per_block > sm.max_threads_per_block) return {0, 0.0, kLimitThreads};
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return {0, 0.0, kLimitSharedMemory};

  const int all_warps = sm.max_threads >> 5;
  const int block_warps = pad(use.threads_per_block, 32) >> 5;

  int allowed[4];
  allowed[0] = all_warps / block_warps;
  allowed[1] = (sm.registers / 4) / pad(use.registers << 5, sm.register_unit) * 4 / block_warps;

  // The driver's part is not ours to give out.
  const int free_bytes = sm.shared_bytes - sm.reserved_shared_bytes;
  const int need = pad(use.shared_bytes, sm.shared_unit);
  allowed[2] = need > 0 ? free_bytes / need : INT_MAX;

  allowed[3] = sm.max_blocks;

  Occupancy r{INT_MAX, 0.0, 0};
  for (int k = 0; k < 4; ++k) {
    if (allowed[k] < r.blocks) {
      r.blocks = allowed[k];
      r.limits = 0;
    }
    // the bits are 1, 2, 4, 8 in this order
    if (allowed[k] == r.blocks) r.limits += 1 << k;
  }
  r.occupancy = 1.0 * r.blocks * block_warps / all_warps;
  return r;
}
