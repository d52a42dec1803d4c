// SPDX-License-Identifier: Apache-2.0
// mistake: two. 1. The walk over the resources replaces the bits where a resource allows just as few blocks as the
//   least so far (<= instead of telling < from ==), so that of several limits only the last one is reported. 2. "The
//   most warps that there can be" is taken for blocks of this size: the lesser of max_threads / 32 and max_blocks times
//   the block's warps. Small blocks (32 threads, 32 blocks, 64 warps) get occupancy 1.0 instead of 0.5.
// want: Threads and registers both allow 2 blocks: what do your bits hold after the second comparison? And: 32 blocks
//   of one warp on an SM that can hold 64 warps: is this SM full? Does the most that it can hold depend on your kernel?
#include <climits>

#include "occupancy.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

namespace {

struct Least {
  int blocks;
  int bits;

  void consider(int allowed, int bit) {
    if (allowed <= blocks) {
      blocks = allowed;
      bits = bit;
    }
  }
};

int by_shared_memory(SmLimits sm, KernelUse use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int portion = round_up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return portion > 0 ? sm.shared_bytes / portion : INT_MAX;
}

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int block_warps = round_up(use.threads_per_block, 32) / 32;
  const int sm_warps = sm.max_threads / 32;

  const bool too_many = use.threads_per_block > sm.max_threads_per_block;
  const int by_threads = too_many ? 0 : sm_warps / block_warps;

  const int warp_registers = round_up(use.registers * 32, sm.register_unit);
  const int by_registers = sm.registers / 4 / warp_registers * 4 / block_warps;

  Least least = {sm.max_blocks, kLimitBlocks};
  least.consider(by_threads, kLimitThreads);
  least.consider(by_registers, kLimitRegisters);
  least.consider(by_shared_memory(sm, use), kLimitSharedMemory);

  // the most warps that there can be: no more than max_blocks blocks
  int most = sm.max_blocks * block_warps;
  if (most > sm_warps) most = sm_warps;

  Occupancy result;
  result.blocks = least.blocks;
  result.limits = least.bits;
  result.occupancy = double(least.blocks * block_warps) / double(most);
  return result;
}
