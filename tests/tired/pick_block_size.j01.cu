// SPDX-License-Identifier: Apache-2.0
// mistake: walks from the largest size down and stops as soon as a size is worse than the best so far, as if the number
//   of resident warps rose to one peak and then fell. It goes up and down. With 40 registers an A100 has room for 48
//   warps: 1024 threads give 32 warps, 992 give 31, and there it stops; 768 threads, which give 48, are never tried.
// want: Print the resident warps for 1024, 992, 960, ... threads with 40 registers. Do they only fall once they have
//   fallen? Which sizes does your loop never look at?
#include "pick_block_size.h"

static int up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = up(threads, 32) / 32;
  int blocks = sm.max_blocks;

  const int t = sm.max_threads / 32 / warps;
  if (t < blocks) blocks = t;

  const int r = sm.registers / 4 / up(32 * registers, sm.register_unit) * 4 / warps;
  if (r < blocks) blocks = r;

  const int bytes = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes != 0 && sm.shared_bytes / bytes < blocks) blocks = sm.shared_bytes / bytes;

  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most_warps = 0;
  // The largest wins a tie, so begin with it.
  int threads = sm.max_threads_per_block / 32 * 32;
  while (threads >= 32) {
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, bytes) * (threads / 32);
    if (warps > most_warps) {
      most_warps = warps;
      best = threads;
    } else if (warps < most_warps) {
      break;  // past the top, smaller ones are worse still
    }
    threads -= 32;
  }
  return best;
}
