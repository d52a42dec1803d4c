// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: max_shared_bytes_per_block is not looked at: with 65536 bytes an SM, 49152 at most a block, no
//   reserve, 64 bytes a thread and 32 registers, 1024 threads (65536 bytes, not launchable) count as 32 warps and
//   win; the answer is 512, which makes 32 warps, too. And most begins at 0 and >= takes an equal size, so that a
//   size of 0 warps is taken: where nothing fits (shared_bytes 300000) the answer is 1024 instead of 0.
// want: what does your function return if not even 32 threads have room, and why? After that: can a block have all of
//   an SM's shared memory?
#include "pick_block_size.h"

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;

  const int warps = (threads + 31) / 32;
  int blocks = sm.max_blocks;

  auto at_most = [&](int b) {
    if (b < blocks) blocks = b;
  };

  at_most(sm.max_threads / (32 * warps));

  int regs = 32 * registers;
  while (regs % sm.register_unit != 0) ++regs;
  at_most(4 * ((sm.registers / 4) / regs) / warps);

  int smem = shared_bytes + sm.reserved_shared_bytes;
  while (smem % sm.shared_unit != 0) ++smem;
  if (smem) at_most(sm.shared_bytes / smem);

  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * threads / 32;
    if (warps >= most) {  // as good but larger wins, too
      most = warps;
      best = threads;
    }
  }
  return best;
}
