// SPDX-License-Identifier: Apache-2.0
// mistake: walks from the largest size down and stops at the first one that is worse than the best so far, as if the
//   number of warps rose and then fell only. It has many peaks. 1536 threads, 16 blocks, 65,536 registers, 32 a thread,
//   no shared memory wanted: 1024 gives 32 warps, 992 gives 31, so the loop ends and 1024 is returned; 768 gives 48.
// want: On an SM for 1536 threads, write down the resident warps for 1024, 992, 960, ... 768. What does your loop know
//   of the sizes after the first that is worse?
#include "pick_block_size.h"

static inline int ceil_to(int v, int u) { return (v + u - 1) / u * u; }

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int w = (threads + 31) >> 5;

  int b = sm.max_blocks;
  auto cap = [&b](int x) { if (x < b) b = x; };
  cap(sm.max_threads / 32 / w);
  cap(sm.registers / 4 / ceil_to(registers * 32, sm.register_unit) * 4 / w);
  if (int s = ceil_to(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit); s > 0) cap(sm.shared_bytes / s);
  return b;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, most = 0;
  // From above: then the first of several equally good ones is the largest already, and > is enough.
  int threads = sm.max_threads_per_block / 32 * 32;
  for (; threads > 0; threads -= 32) {
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, shared) * (threads / 32);
    if (warps > most) {
      most = warps;
      best = threads;
    } else if (warps < most) {
      break;  // past the summit
    }
  }
  return best;
}
