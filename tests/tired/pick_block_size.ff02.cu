// SPDX-License-Identifier: Apache-2.0
// mistake: the search stops at the first size that is worse than the best so far, as if occupancy rose to one
//   peak and then fell. 2048 threads, 32 blocks, 32 registers, no shared memory: 64 threads give 64 warps, 96
//   give 21 x 3 = 63, and the loop ends with 64; 1024 is as good and larger. To stop at a size that cannot be
//   launched at all is right: larger ones cannot either.
// want: How many warps are resident with 64, 96 and 128 threads a block? What do you conclude from the one in the
//   middle, and is it true?
#include "pick_block_size.h"

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  const auto round_up = [](int v, int u) { return (v + u - 1) / u * u; };
  const auto at_most = [](int& value, int limit) {
    if (limit < value) value = limit;
  };

  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  int blocks = sm.max_blocks;
  at_most(blocks, sm.max_threads / (32 * warps));

  const int warps_in_partition = sm.registers / 4 / round_up(registers * 32, sm.register_unit);
  at_most(blocks, warps_in_partition * 4 / warps);

  const int bytes = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes != 0) at_most(blocks, sm.shared_bytes / bytes);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int best_warps = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * threads / 32;
    if (warps == 0) break;           // too large already
    if (warps < best_warps) break;   // past the top, it only gets worse from here
    best_warps = warps;
    best = threads;
  }
  return best;
}
