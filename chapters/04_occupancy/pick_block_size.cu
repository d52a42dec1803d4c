// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. With the arithmetic of the first exercise a program can choose its own block size.
// Two places are marked TODO.
//
//   ./warplings check pick_block_size

#include "pick_block_size.h"

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  // TODO 1: bring your arithmetic over from occupancy.cu.
  return 1;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    // TODO 2: what do blocks of this size need of shared memory, and how many warps are resident? When is
    // this size better than the best so far, and when as good? Keep the most warps so far, beside `best`.
  }
  return best;
}
