// SPDX-License-Identifier: Apache-2.0
// mistake: the search goes from the largest size down and stops as soon as a size is worse than the best so far;
//   warps over sizes are a saw and no hill, so that it sticks to the first tooth (1024 threads with 40 registers:
//   32 warps, while 768 have 48).
// want: Write down the resident warps for 1024, 992, 960, ... 768 threads with 40 registers. Does it only get worse
//   once it has begun to get worse?

#include <algorithm>
#include <climits>

#include "pick_block_size.h"

static int up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  const int by_threads = sm.max_threads / 32 / warps;
  const int by_registers = sm.registers / 4 / up(32 * registers, sm.register_unit) * 4 / warps;
  const int bytes = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = bytes > 0 ? sm.shared_bytes / bytes : INT_MAX;
  return std::min({by_threads, by_registers, by_shared, sm.max_blocks});
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  // Down from the largest, then a tie goes to the larger one by itself.
  for (int threads = sm.max_threads_per_block / 32 * 32; threads >= 32; threads -= 32) {
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, bytes) * (threads / 32);
    if (warps == 0) continue;  // too big to be launched
    if (warps < most) break;   // downhill from here
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
