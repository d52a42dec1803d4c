// SPDX-License-Identifier: Apache-2.0
// mistake: blocks and occupancy are right, the register bit of `limits` is not: it asks whether the registers of one
//   more block would exceed the SM's in total, and forgets that what is left over in four partitions does not add up.
//   65,536 registers, unit 256, 96 a thread: a warp takes 3072, a partition holds 5 warps (15,360 of 16,384). Blocks of
//   32 threads: 20 blocks, by registers. For the bit 21 x 3072 = 64,512 <= 65,536, so that limits is 0.
// want: Where exactly would the registers of one more warp be, in your count of blocks and in your test for the bit?
//   Do both know of the partitions?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(KernelUse use) { return (use.threads_per_block + 31) / 32; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  return use.threads_per_block <= sm.max_threads_per_block ? sm.max_threads / 32 / warps_of(use) : 0;
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  int per_partition = (sm.registers / 4) / round_up(32 * use.registers, sm.register_unit);
  return per_partition * 4 / warps_of(use);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  int bytes = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  if (bytes == 0) return INT_MAX;
  return sm.shared_bytes / bytes;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  Occupancy result = {sm.max_blocks, 0.0, 0};
  for (auto f : {blocks_by_threads, blocks_by_registers, blocks_by_shared_memory}) {
    const int b = f(sm, use);
    result.blocks = b < result.blocks ? b : result.blocks;
  }

  // "What keeps the SM from taking one more block": so let us try with one more
  const int more = result.blocks + 1;
  const int warps = warps_of(use);
  if (use.threads_per_block > sm.max_threads_per_block || more * warps * 32 > sm.max_threads / 32 * 32)
    result.limits += kLimitThreads;
  if (more * warps * round_up(32 * use.registers, sm.register_unit) > sm.registers)
    result.limits += kLimitRegisters;
  if (use.shared_bytes > sm.max_shared_bytes_per_block ||
      (long long)more * round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) > sm.shared_bytes)
    result.limits += kLimitSharedMemory;
  if (more > sm.max_blocks)
    result.limits += kLimitBlocks;

  result.occupancy = static_cast<double>(result.blocks) * warps / (sm.max_threads / 32);
  return result;
}
