// SPDX-License-Identifier: Apache-2.0
// mistake: leaves the loop at the first size that has fewer resident warps than the best so far, as if the number of
//   warps rose to one peak and fell from there. With 2048 threads and 32 blocks at most, 96 threads (63 warps) are
//   worse than 64 (64 warps), and 64 is returned, though 1024 are as good and larger.
// want: Write down the resident warps for 64, 96 and 128 threads where only the 2048 threads limit. What happened at
//   96, and what would your loop have found behind it?
#include "pick_block_size.h"

#include <algorithm>

int round_to(int x, int unit) { return (x + unit - 1) / unit * unit; }

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  const int warp_registers = round_to(registers * 32, sm.register_unit);
  const int warps_in_partition = sm.registers / 4 / warp_registers;
  blocks = std::min(blocks, warps_in_partition * 4 / warps);

  const int bytes = round_to(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (bytes != 0) blocks = std::min(blocks, sm.shared_bytes / bytes);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int bytes = shared_bytes + threads * shared_bytes_per_thread;
    const int warps = blocks_per_sm(sm, threads, registers, bytes) * threads / 32;
    if (warps < most || warps == 0) break;  // it only gets worse from here
    most = warps;
    best = threads;
  }
  return best;
}
