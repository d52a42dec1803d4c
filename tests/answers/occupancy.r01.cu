// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the registers are rounded per thread, to 8, instead of per warp to register_unit. That is
//   the same only where register_unit is 256: with 65536 registers, register_unit 512 and 40 registers a thread a
//   warp takes 1536, 10 fit in a partition, 40 blocks of 32 threads; this takes 1280, 12 and 48. And the reserved
//   bytes are counted against max_shared_bytes_per_block, too: on an A100 (164 KB, at most 163 KB a block, 1 KB
//   reserved) a block that asks for 166912 bytes can be launched, once; this allows 0.
// want: Which number of SmLimits says in what portions a warp gets its registers, and does your code ever read it?
#include "occupancy.h"

#include <algorithm>
#include <climits>

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(int threads) { return (threads + 31) / 32; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / warps_of(use.threads_per_block);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  // registers come in eights
  const int per_warp = 32 * round_up(use.registers, 8);
  const int per_partition = sm.registers / 4 / per_warp;
  return per_partition * 4 / warps_of(use.threads_per_block);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  const int wanted = use.shared_bytes + sm.reserved_shared_bytes;
  if (wanted == 0) return INT_MAX;
  if (wanted > sm.max_shared_bytes_per_block) return 0;
  return sm.shared_bytes / round_up(wanted, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int t = blocks_by_threads(sm, use);
  const int r = blocks_by_registers(sm, use);
  const int s = blocks_by_shared_memory(sm, use);

  Occupancy result;
  result.blocks = std::min({t, r, s, sm.max_blocks});
  result.limits = (t == result.blocks) * kLimitThreads + (r == result.blocks) * kLimitRegisters +
                  (s == result.blocks) * kLimitSharedMemory + (sm.max_blocks == result.blocks) * kLimitBlocks;
  result.occupancy = double(result.blocks * warps_of(use.threads_per_block)) / (sm.max_threads / 32);
  return result;
}
