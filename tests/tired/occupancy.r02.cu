// SPDX-License-Identifier: Apache-2.0
// mistake: every block is taken to put ceil(warps / 4) of its warps into each partition, so that a block whose
//   warps are no multiple of 4 uses up room that nobody occupies. The contract wants the warps of all four
//   partitions over the warps of a block. With 65536 registers, unit 256, 32 registers a thread: 16 warps a
//   partition, 64 in all; blocks of 1 warp: 64, this says 16; blocks of 5 warps: 12, this says 16 / 2 = 8. Blocks of
//   128, 256, 512 threads come out right.
// want: Blocks of a single warp, 16 warps in a partition: how many such blocks have registers on the SM? Where would
//   the second block's warp go?
#include "occupancy.h"

#include <climits>

// The least multiple of `unit` that is not below `value`.
int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  // a warp is never split, so count in threads of whole warps
  return sm.max_threads / round_up(use.threads_per_block, 32);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int warps = round_up(use.threads_per_block, 32) / 32;
  const int per_warp = round_up(use.registers * 32, sm.register_unit);
  const int fit = (sm.registers / 4) / per_warp;  // warps in one partition

  // A block's warps are dealt out to the four partitions in turn; the fullest one decides.
  const int dealt = round_up(warps, 4) / 4;
  return fit / dealt;
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int taken = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return taken > 0 ? sm.shared_bytes / taken : INT_MAX;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int allowed[] = {blocks_by_threads(sm, use), blocks_by_registers(sm, use),
                         blocks_by_shared_memory(sm, use), sm.max_blocks};

  Occupancy result = {INT_MAX, 0.0, 0};
  for (int i = 0; i < 4; ++i) {
    if (allowed[i] < result.blocks) {
      result.blocks = allowed[i];
      result.limits = 0;  // those before were not the least
    }
    if (allowed[i] == result.blocks) result.limits |= 1 << i;
  }

  const int warps = round_up(use.threads_per_block, 32) / 32;
  result.occupancy = 1.0 * result.blocks * warps / (sm.max_threads / 32);
  return result;
}
