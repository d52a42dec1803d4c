// SPDX-License-Identifier: Apache-2.0
// mistake: 1. tries the sizes from the largest down but still lets an equally good size replace the best, so that the
//   smallest of them is returned. 2. holds the asked and the reserved bytes together against
//   max_shared_bytes_per_block: a block that asks for exactly the most it may is said not to launch.
// want: Two sizes have equally many warps: which of them is in best at the end, now that the loop runs downwards?
//   (Then: the limit per block counts what a block asks for. Who asks for the reserved bytes?)
#include "pick_block_size.h"

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int blocks_per_sm(const SmLimits& sm, int threads, int registers, int shared_bytes) {
  const int shared = shared_bytes + sm.reserved_shared_bytes;
  if (shared > sm.max_shared_bytes_per_block) return 0;

  const int warps = threads / 32;
  int blocks = sm.max_blocks;
  const auto limit = [&blocks](int other) {
    if (other < blocks) blocks = other;
  };

  limit(sm.max_threads / 32 / warps);
  limit(4 * (sm.registers / 4 / round_up(32 * registers, sm.register_unit)) / warps);
  const int portion = round_up(shared, sm.shared_unit);
  if (portion > 0) limit(sm.shared_bytes / portion);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = 0;
  // Large blocks first: the largest is what we want.
  for (int threads = sm.max_threads_per_block / 32 * 32; threads >= 32; threads -= 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * (threads / 32);
    if (warps > 0 && warps >= most_warps) {
      best = threads;
      most_warps = warps;
    }
  }
  return best;
}
