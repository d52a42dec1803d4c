// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. With the arithmetic of occupancy.cu, a program can choose its own block size.
// Two places are marked TODO.
//
//   ./warplings check pick_block_size

#include "pick_block_size.h"

// How many blocks of `threads` threads are resident on one SM; 0 if such a block cannot be launched.
// shared_bytes is what the whole block needs.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  // TODO 1: copy your arithmetic from occupancy.cu.
  return 1;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    // TODO 2: how much shared memory does a block of this size need, and how many warps are then resident?
    // Is that more than with `best`? Which size wins a tie? Remember how many warps `best` gives, too.
  }
  return best;
}
