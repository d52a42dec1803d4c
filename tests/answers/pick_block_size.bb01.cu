// SPDX-License-Identifier: Apache-2.0
// mistake: the search ends at the first size with fewer resident warps than the size before, but the number goes up and
//   down with the size. A100 (2048 threads, 32 blocks), 32 registers, no shared memory: 32 threads give 32 warps, 64
//   give 64, 96 give 21 * 3 = 63, and the loop ends with 64; 1024 threads give 64 warps, too, and must be the answer.
//   Ending at the first size with 0 blocks is right: every need grows with the size.
// want: Compute the resident warps for 64, 96 and 128 threads on an A100. What does the loop do after the second one?
#include "pick_block_size.h"

#include <algorithm>
#include <climits>

static int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = round_up(threads, 32) / 32;
  const int by_threads = sm.max_threads / 32 / warps;
  const int by_registers = sm.registers / 4 / round_up(32 * registers, sm.register_unit) * 4 / warps;
  const int taken = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  const int by_shared = taken > 0 ? sm.shared_bytes / taken : INT_MAX;
  return std::min({by_threads, by_registers, by_shared, sm.max_blocks});
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    if (blocks == 0) break;  // and larger ones do not fit either

    const int resident = blocks * (threads / 32);
    if (resident < most) break;  // past the top
    most = resident;
    best = threads;
  }
  return best;
}
