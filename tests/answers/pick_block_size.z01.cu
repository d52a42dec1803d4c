// SPDX-License-Identifier: Apache-2.0
// mistake: The sizes are tried downwards from max_threads_per_block itself, so that where this is no multiple of 32 none
//   of the sizes tried is one. max_threads_per_block 1000, 2048 threads, 32 blocks, 32 registers, no shared memory:
//   1000 is returned (two blocks of 32 warps); right is 512.
// want: An SM may allow 1000 threads in a block. Which sizes does your loop try there, and what does the header demand of
//   a size?
#include <algorithm>
#include <climits>

#include "pick_block_size.h"

static int up(int v, int unit) { return (v + unit - 1) / unit * unit; }

// resident warps of an SM that is full of such blocks, 0 if they cannot be launched
static int resident_warps(const SmLimits& sm, int threads, int registers, int bytes) {
  if (bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = up(threads, 32) / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  const int warp_registers = up(32 * registers, sm.register_unit);
  blocks = std::min(blocks, 4 * (sm.registers / 4 / warp_registers) / warps);

  const int taken = up(bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (taken) blocks = std::min(blocks, sm.shared_bytes / taken);

  return blocks * warps;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  // from large to small: then the first one with the most warps is the largest
  for (int threads = sm.max_threads_per_block; threads > 0; threads -= 32) {
    const int warps = resident_warps(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
