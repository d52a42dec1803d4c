// SPDX-License-Identifier: Apache-2.0
// mistake: only sizes that divide max_threads are tried. Where registers or shared memory limit, another size can be
//   as good or better: an A100 (2048 threads, 65536 registers, unit 256) with 48 registers a thread has room for 40
//   warps; 640 threads, two blocks of 20 warps, fill it and are the largest to do so. This never tries 640 and
//   returns 256. On an SM of 1536 threads with few registers, 768 is tried and found. (Going down from the largest
//   with > is a right way to prefer the largest; threads instead of warps are right, too.)
// want: Which sizes does your loop skip, and is a size that leaves thread slots over always a bad one? Think of a
//   kernel whose registers allow only 40 warps.
#include "pick_block_size.h"

#include <algorithm>

static int align(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  int blocks = std::min(sm.max_blocks, sm.max_threads / threads);

  const int warps = threads / 32;
  const int in_partition = (sm.registers / 4) / align(32 * registers, sm.register_unit);
  blocks = std::min(blocks, in_partition * 4 / warps);

  const int shared = align(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared != 0) blocks = std::min(blocks, sm.shared_bytes / shared);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;  // threads that are resident with `best`
  // From the largest down, so that the first of several equally good ones stays.
  for (int threads = sm.max_threads_per_block / 32 * 32; threads >= 32; threads -= 32) {
    if (sm.max_threads % threads != 0) continue;  // would leave slots empty
    const int shared = shared_bytes + threads * shared_bytes_per_thread;
    const int resident = threads * blocks_per_sm(sm, threads, registers, shared);
    if (resident > most) {
      most = resident;
      best = threads;
    }
  }
  return best;
}
