// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) the reserved bytes that each block takes in addition are forgotten. (2) going upwards with `>`
//   keeps the smallest of equally good sizes instead of the largest.
// want: 32, 64 and 1024 threads may give equally many warps; which of them does the contract want, and which does your
//   comparison keep? (Then: what does a block take of shared memory besides what it asks for?)
#include "pick_block_size.h"

struct Need {
  int threads;
  int registers;
  long long bytes;
};

int blocks_per_sm(SmLimits sm, Need need) {
  if (need.bytes > sm.max_shared_bytes_per_block) return 0;

  const int w = need.threads / 32;
  int result = sm.max_blocks;

  // threads
  const int byThreads = (sm.max_threads / 32) / w;
  if (byThreads < result) result = byThreads;

  // registers
  int perWarp = need.registers * 32;
  while (perWarp % sm.register_unit != 0) ++perWarp;
  const int byRegisters = 4 * ((sm.registers / 4) / perWarp) / w;
  if (byRegisters < result) result = byRegisters;

  // shared memory, in whole units
  long long units = (need.bytes + sm.shared_unit - 1) / sm.shared_unit;
  if (units > 0) {
    const int byShared = (int)(sm.shared_bytes / (units * sm.shared_unit));
    if (byShared < result) result = byShared;
  }
  return result;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    Need need;
    need.threads = threads;
    need.registers = registers;
    need.bytes = (long long)threads * shared_bytes_per_thread + shared_bytes;
    const int warps = blocks_per_sm(sm, need) * (threads / 32);
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
