// SPDX-License-Identifier: Apache-2.0
// mistake: the search stops at the first size that is worse than the best so far, as if the number of resident warps
//   only rose and then fell; it goes up and down (64 threads fill an SM, 96 do not, 128 do), and larger sizes that
//   are as good or better are never seen.
// want: Write down the resident warps for 64, 96 and 128 threads with few registers. Does one worse size tell you
//   that all larger ones are worse?

#include "pick_block_size.h"

#include <algorithm>
#include <climits>

static int up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  const int by_threads = sm.max_threads / 32 / warps;
  const int by_registers = 4 * (sm.registers / 4 / up(32 * registers, sm.register_unit)) / warps;
  const int takes = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = takes ? sm.shared_bytes / takes : INT_MAX;
  return std::min({by_threads, by_registers, by_shared, sm.max_blocks});
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, bytes) * (threads / 32);
    if (warps < most) break;  // from here on it only gets worse
    if (warps > 0) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
