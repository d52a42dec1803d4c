// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: whether a block can be launched is asked of its bytes with the reserved ones, and the header has
//   the bytes that the block asks for: max_shared_bytes_per_block 166912, reserved 1024, shared_bytes 166912 of
//   167936: 1 block fits, here 0. And occupancy is relative to the warps that the limit of threads allows
//   blocks of this size, not to the most of the SM: 768 threads of 32 registers on an SM with 2048: 2 blocks are
//   48 of 64 warps, 0.75; here 48 / 48 = 1.
// want: 2 blocks of 768 threads, an SM for 2048 threads: how many warps are resident, and how many could there be with
//   any size of block? Then: which bytes may not exceed max_shared_bytes_per_block?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int warps_of(KernelUse use) { return round_up(use.threads_per_block, 32) / 32; }

static int blocks_by_threads(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return sm.max_threads / 32 / warps_of(use);
}

static int blocks_by_registers(SmLimits sm, KernelUse use) {
  const int partition = sm.registers / 4;
  const int warp = round_up(use.registers * 32, sm.register_unit);
  return partition / warp * 4 / warps_of(use);
}

static int blocks_by_shared_memory(SmLimits sm, KernelUse use) {
  const int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  if (bytes > sm.max_shared_bytes_per_block) return 0;
  if (bytes == 0) return INT_MAX;
  return sm.shared_bytes / round_up(bytes, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int by_threads = blocks_by_threads(sm, use);
  const int by_registers = blocks_by_registers(sm, use);
  const int by_shared_memory = blocks_by_shared_memory(sm, use);

  Occupancy result = {sm.max_blocks, 0.0, 0};
  for (int b : {by_threads, by_registers, by_shared_memory}) {
    if (b < result.blocks) result.blocks = b;
  }
  if (by_threads == result.blocks) result.limits |= kLimitThreads;
  if (by_registers == result.blocks) result.limits |= kLimitRegisters;
  if (by_shared_memory == result.blocks) result.limits |= kLimitSharedMemory;
  if (sm.max_blocks == result.blocks) result.limits |= kLimitBlocks;

  if (result.blocks > 0) {
    const int resident = result.blocks * warps_of(use);
    const int most = by_threads * warps_of(use);
    result.occupancy = static_cast<double>(resident) / most;
  }
  return result;
}
