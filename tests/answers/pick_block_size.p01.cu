// SPDX-License-Identifier: Apache-2.0
// mistake: only powers of two are tried. An SM of 1536 threads, blocks of up to 1024, few registers, no shared memory:
//   512 x 3 and 768 x 2 both have all 48 warps, and 768, the larger, is wanted; this says 512. Or with 40 registers on an
//   SM of 65536: 48 warps; 768 is wanted and this says 512.
// want: The contract's sizes are the multiples of 32. Which of them between 512 and 1024 does your loop look at?
#include "pick_block_size.h"

#include <algorithm>

static int up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int warps = up(threads, 32) / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);
  const int register_warps = sm.registers / 4 / up(registers * 32, sm.register_unit) * 4;
  blocks = std::min(blocks, register_warps / warps);
  if (const int taken = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit))
    blocks = std::min(blocks, sm.shared_bytes / taken);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 1;  // at least one warp, or it's no size
  for (int threads = 32; threads <= sm.max_threads_per_block; threads *= 2) {
    const int warps = threads / 32 * blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    if (warps >= most) {  // >= so that the later one, the larger, wins
      most = warps;
      best = threads;
    }
  }
  return best;
}
