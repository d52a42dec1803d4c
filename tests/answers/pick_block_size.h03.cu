// SPDX-License-Identifier: Apache-2.0
// mistake: only a table of customary block sizes is tried; sizes such as 160, 320, 640 or 896 are never looked at,
//   and neither is anything above 1024, though one of them may hold more warps or be the largest of the equal ones.
// want: The answer is to be the best among which sizes, by the header? Is there one among them that your loop never
//   tries, and could it win, say with 96 registers a thread?

#include "pick_block_size.h"

#include <climits>

static const int kSizes[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};

static int round_to(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  const int warp_slots = sm.max_threads / 32;
  const int register_warps = sm.registers / 4 / round_to(registers * 32, sm.register_unit) * 4;
  const int bytes = round_to(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);

  const int candidates[] = {warp_slots / warps, register_warps / warps,
                            bytes == 0 ? INT_MAX : sm.shared_bytes / bytes, sm.max_blocks};
  int least = candidates[0];
  for (int c : candidates) least = c < least ? c : least;
  return least;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, most = 0;
  for (int threads : kSizes) {
    if (threads > sm.max_threads_per_block) break;
    const int blocks =
        blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    const int warps = blocks * threads / 32;
    if (warps > 0 && warps >= most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
