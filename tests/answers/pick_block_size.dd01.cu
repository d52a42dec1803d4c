// SPDX-License-Identifier: Apache-2.0
// mistake: The search goes down from the largest size and stops as soon as a size is worse than the best so far; but the number of
//   warps goes up and down with the size. 2048 threads, 65536 registers, unit 256, 40 registers, no shared memory: 1024
//   threads give 1 block, 32 warps; 992 give 31, and it stops with 1024. 768 give 2 blocks, 48 warps.
// want: Write down the resident warps for 1024, 992 and 768 threads with 40 registers each. At which of them does your search
//   end?
#include "pick_block_size.h"

#include <algorithm>

static int multiple(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int warps = (threads + 31) / 32;

  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  const int warps_per_partition = sm.registers / 4 / multiple(registers * 32, sm.register_unit);
  blocks = std::min(blocks, warps_per_partition * 4 / warps);

  const int shared = multiple(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (shared > 0) blocks = std::min(blocks, sm.shared_bytes / shared);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int best_warps = 0;

  // From the top, so that the first of several equals is the largest.
  int threads = sm.max_threads_per_block / 32 * 32;
  while (threads > 0) {
    const int warps =
        blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread) * (threads / 32);
    if (warps > best_warps) {
      best_warps = warps;
      best = threads;
    } else if (warps < best_warps) {
      break;  // past the summit
    }
    threads -= 32;
  }
  return best;
}
