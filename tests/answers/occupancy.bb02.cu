// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a block with too many threads returns at once with kLimitThreads alone, though other resources
//   may allow 0 blocks, too: A100, 2048 threads, 32 registers, 200000 bytes: limits must be 1 + 4, the code says 1 (the
//   same for registers). And occupancy is divided by the warps that this block size could reach, min(max_threads / 32,
//   max_blocks * warps), not by the SM's most warps: A100, 32 threads, 16 registers, no shared memory: 32 blocks, 32 of
//   64 warps, 0.5; the code says 1.0.
// want: First: when a block has too many threads, may another resource allow no block at the same time, and what should
//   limits say then? Then: how full is an SM with 64 places for warps when 32 warps are on it?
#include "occupancy.h"

#include <climits>

Occupancy occupancy(SmLimits sm, KernelUse use) {
  if (use.threads_per_block > sm.max_threads_per_block) {
    return {0, 0.0, kLimitThreads};  // cannot be launched, nothing more to compute
  }

  const int block_warps = (use.threads_per_block - 1) / 32 + 1;
  const int sm_warps = sm.max_threads / 32;

  const int threads = sm_warps / block_warps;

  int per_warp = 32 * use.registers;
  if (per_warp % sm.register_unit != 0) {
    per_warp += sm.register_unit - per_warp % sm.register_unit;
  }
  const int registers = 4 * (sm.registers / 4 / per_warp) / block_warps;

  int shared = INT_MAX;
  int bytes = use.shared_bytes + sm.reserved_shared_bytes;
  if (bytes % sm.shared_unit != 0) {
    bytes += sm.shared_unit - bytes % sm.shared_unit;
  }
  if (use.shared_bytes > sm.max_shared_bytes_per_block) {
    shared = 0;
  } else if (bytes > 0) {
    shared = sm.shared_bytes / bytes;
  }

  // Put blocks on the SM until one resource has no room for another.
  int blocks = 0;
  while (blocks < threads && blocks < registers && blocks < shared && blocks < sm.max_blocks) {
    ++blocks;
  }

  const int limits = (threads == blocks) * kLimitThreads + (registers == blocks) * kLimitRegisters +
                     (shared == blocks) * kLimitSharedMemory + (sm.max_blocks == blocks) * kLimitBlocks;

  // The most warps that there can be.
  int most = sm.max_blocks * block_warps;
  if (most > sm_warps) most = sm_warps;
  return {blocks, blocks * block_warps / double(most), limits};
}
