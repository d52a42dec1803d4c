// SPDX-License-Identifier: Apache-2.0
// mistake: the running number of bytes is stepped at the end of the loop, but starts at shared_bytes, so that each
//   size is charged for 32 threads fewer than it has; sizes count as resident, or launchable, that are not.
// want: How many bytes does your loop ask for in its very first pass, with 32 threads and 100 bytes for each of
//   them?

#include <climits>

#include "pick_block_size.h"

#define CEIL_TO(value, unit) (((value) + (unit) - 1) / (unit) * (unit))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = CEIL_TO(threads, 32) / 32;
  const int a = (sm.max_threads / 32) / warps;
  const int b = (sm.registers / 4) / CEIL_TO(32 * registers, sm.register_unit) * 4 / warps;

  const int taken = CEIL_TO(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int c = taken == 0 ? INT_MAX : sm.shared_bytes / taken;

  return MIN(MIN(a, b), MIN(c, sm.max_blocks));
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  const int step = 32 * shared_bytes_per_thread;  // each further warp

  int best = 0;
  int most_warps = 0;
  int bytes = shared_bytes;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, bytes);
    const int warps = blocks * (threads / 32);
    if (blocks > 0 && warps >= most_warps) {
      most_warps = warps;
      best = threads;
    }
    bytes += step;
  }
  return best;
}
