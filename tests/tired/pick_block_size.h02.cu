// SPDX-License-Identifier: Apache-2.0
// mistake: the most warps so far start at -1, so that a size with no resident block counts as an improvement;
//   where nothing can be launched the largest block size is returned in place of 0.
// want: What does your function return when not even 32 threads can be launched? Follow the first turn of the loop
//   in that case: which comparison succeeds there?

#include <climits>

#include "pick_block_size.h"

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int smaller(int a, int b) { return a < b ? a : b; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  const int warps = ceil_div(threads, 32);

  int blocks = sm.max_blocks;
  blocks = smaller(blocks, threads > sm.max_threads_per_block ? 0 : (sm.max_threads / 32) / warps);

  const int per_warp = ceil_div(32 * registers, sm.register_unit) * sm.register_unit;
  const int warps_per_partition = (sm.registers / 4) / per_warp;
  blocks = smaller(blocks, 4 * warps_per_partition / warps);

  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int per_block = ceil_div(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  if (per_block > 0) blocks = smaller(blocks, sm.shared_bytes / per_block);

  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = -1;
  // from large to small: the first of several equal ones is the largest
  for (int warps = sm.max_threads_per_block / 32; warps >= 1; --warps) {
    const int threads = 32 * warps;
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int resident = warps * blocks_per_sm(sm, threads, registers, bytes);
    if (resident > most_warps) {
      most_warps = resident;
      best = threads;
    }
  }
  return best;
}
