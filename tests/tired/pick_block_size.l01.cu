// SPDX-License-Identifier: Apache-2.0
// mistake: climbs as long as the number of resident warps does not fall, and stops at the first size that is worse.
//   That number goes up and down: with 64 places for warps and 32 for blocks, 64 threads give 64 warps, 96 threads 63,
//   and 128 threads 64 again. The answer is 64 where it should be 1024.
// want: How many warps are resident with 64 threads a block, with 96, and with 128? After a worse size there may be one
//   as good or better; try all of them.
#include <climits>

#include "pick_block_size.h"

static int up(long long value, int unit) {
  return static_cast<int>((value + unit - 1) / unit * unit);
}

int blocks_per_sm(SmLimits sm, int threads, int registers, long long shared) {
  if (shared > sm.max_shared_bytes_per_block) return 0;
  const int warps = threads / 32;

  int blocks = sm.max_blocks;

  const int t = sm.max_threads / 32 / warps;
  if (t < blocks) blocks = t;

  const int r = sm.registers / 4 / up(32 * registers, sm.register_unit) * 4 / warps;
  if (r < blocks) blocks = r;

  const int s = up(shared + sm.reserved_shared_bytes, sm.shared_unit);
  if (s > 0 && sm.shared_bytes / s < blocks) blocks = sm.shared_bytes / s;

  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int best_warps = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const long long shared = shared_bytes + static_cast<long long>(threads) * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * (threads / 32);

    // past the top, or it does not fit at all
    if (warps == 0 || warps < best_warps) break;

    best = threads;
    best_warps = warps;
  }
  return best;
}
