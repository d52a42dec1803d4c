// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the registers are given out to a block as a whole from one pool (rounded once a block), not to
//   each warp from a partition. A100, 33 registers, no shared memory: a warp takes 1280, four partitions take 48 warps,
//   the answer is 768; the code finds room for two blocks of 992 threads (2 * 32768 registers, 62 warps) and says 992.
//   And `best` begins with 32, so that the answer is 32 where no size can be launched, as with shared_bytes 200000 on
//   an A100; it must be 0.
// want: First: for 33 registers a thread, how many registers does one warp take, and how many such warps does one of
//   the four partitions hold? Then: what does the function return when no size can be launched?
#include "pick_block_size.h"

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  int blocks = sm.max_blocks;
  const auto at_most = [&blocks](int have, int need, int unit) {
    need = (need + unit - 1) / unit * unit;
    if (need > 0 && have / need < blocks) blocks = have / need;
  };
  at_most(sm.max_threads, threads, 32);
  at_most(sm.registers, threads * registers, sm.register_unit);
  at_most(sm.shared_bytes, shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 32;
  double best_occupancy = 0;
  // From the largest down: a smaller one has to be really better.
  for (int threads = sm.max_threads_per_block / 32 * 32; threads > 0; threads -= 32) {
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int blocks = blocks_per_sm(sm, threads, registers, bytes);
    const double occupancy = double(blocks) * threads / sm.max_threads;
    if (occupancy > best_occupancy) {
      best_occupancy = occupancy;
      best = threads;
      if (occupancy == 1.0) break;  // fuller than full there is not
    }
  }
  return best;
}
