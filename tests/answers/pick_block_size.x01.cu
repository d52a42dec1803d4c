// SPDX-License-Identifier: Apache-2.0
// mistake: only sizes that come from halving max_threads_per_block are tried (1024, 512, ... 32), not every multiple of
//   32. SM with 1536 threads, 16 blocks, few registers, no shared memory: 512 and 768 both give 48 warps, the largest
//   is 768; this returns 512.
// want: Which sizes does your loop try on a multiprocessor with 1536 threads? Is there a multiple of 32 that it never
//   meets?
#include "pick_block_size.h"

#include <algorithm>
#include <climits>

static int roundUp(int n, int m) { return n % m == 0 ? n : n + m - n % m; }

int residentBlocks(const SmLimits& sm, int threads, int regs, int smem) {
  if (threads > sm.max_threads_per_block || smem > sm.max_shared_bytes_per_block) return 0;
  int warps = threads / 32;

  int b = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  int warpsPerQuarter = (sm.registers / 4) / roundUp(regs * 32, sm.register_unit);
  b = std::min(b, warpsPerQuarter * 4 / warps);

  int s = roundUp(smem + sm.reserved_shared_bytes, sm.shared_unit);
  if (s) b = std::min(b, sm.shared_bytes / s);
  return b;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, bestWarps = 0;
  // from the largest down, so a tie keeps the larger one
  for (int t = sm.max_threads_per_block / 32 * 32; t >= 32; t /= 2) {
    int warps = t / 32 * residentBlocks(sm, t, registers, shared_bytes + t * shared_bytes_per_thread);
    if (warps > bestWarps) {
      bestWarps = warps;
      best = t;
    }
  }
  return best;
}
