// SPDX-License-Identifier: Apache-2.0
// mistake: returns early where the block cannot be launched, with the bits of threads and shared memory only; registers
//   may allow 0 blocks as well there (1024 threads with 128 registers that ask for too much shared memory), and their
//   bit is missing.
// want: limits names every resource that alone allows no more than `blocks`. Where the answer is 0 blocks because of
//   shared memory, can the registers allow 0 as well? Does your early return ask them?
#include <climits>
#include <initializer_list>

#include "occupancy.h"

static int up(int v, int unit) {
  const int rest = v % unit;
  return rest ? v + unit - rest : v;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  // First the blocks that cannot be launched at all, then nothing below has to care.
  int refused = 0;
  if (use.threads_per_block > sm.max_threads_per_block) refused += kLimitThreads;
  if (use.shared_bytes > sm.max_shared_bytes_per_block) refused += kLimitSharedMemory;
  if (refused != 0) {
    return {0, 0.0, refused};
  }

  const int warps = up(use.threads_per_block, 32) / 32;
  const int warps_max = sm.max_threads / 32;

  const int a = warps_max / warps;

  const int one_warp = up(use.registers * 32, sm.register_unit);
  const int in_partition = (sm.registers / 4) / one_warp;
  const int b = in_partition * 4 / warps;

  const int one_block = up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int c = one_block > 0 ? sm.shared_bytes / one_block : INT_MAX;

  const int d = sm.max_blocks;

  int m = a;
  for (int v : {b, c, d}) {
    if (v < m) m = v;
  }

  int bits = 0;
  if (a == m) bits += kLimitThreads;
  if (b == m) bits += kLimitRegisters;
  if (c == m) bits += kLimitSharedMemory;
  if (d == m) bits += kLimitBlocks;
  return {m, 1.0 * m * warps / warps_max, bits};
}
