// SPDX-License-Identifier: Apache-2.0
// mistake: the search goes from the largest size down and ends at the first size that is worse than the best so far, but
//   the number of warps goes up and down with the size. An A100's SM (2048 threads, 65536 registers, unit 256,
//   1024 a block), 40 registers, no shared memory: 48 warps have room; 1024 threads make 32, 992 make 31, and the
//   search ends with 1024. 768 threads make 48. blocks_per_sm is right, and so is the order of equal sizes.
// want: print the resident warps for 1024, 992, 960, ... 736 threads with 40 registers: after a size that is worse, can
//   none be better?
#include "pick_block_size.h"

#include <algorithm>

static int up(int v, int u) { return (v + u - 1) / u * u; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int warps = up(threads, 32) / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);
  blocks = std::min(blocks, sm.registers / 4 / up(32 * registers, sm.register_unit) * 4 / warps);
  const int bytes = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  return bytes == 0 ? blocks : std::min(blocks, sm.shared_bytes / bytes);
}

// From the top: the first size with the most warps is then the largest.
int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, most = 0;
  for (int threads = sm.max_threads_per_block / 32 * 32; threads >= 32; threads -= 32) {
    const int need = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, need) * (threads / 32);
    if (warps == 0) continue;  // too large yet
    if (warps < most) break;   // past the peak
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
