// SPDX-License-Identifier: Apache-2.0
// mistake: with >= and a most that begins at 0, a size with no resident block counts as equally good as nothing. Where
//   no size can be launched (shared_bytes above max_shared_bytes_per_block, say 200000 on an A100) each size has 0 warps
//   and it returns 1024, not 0.
// want: Your choice among equals is right. What does the function return when not even 32 threads can be launched? Follow
//   `most` through the first round.
#include "pick_block_size.h"

#include <climits>

struct Block {
  int warps;
  int shared;
};

static int portions(int value, int unit) { return (value + unit - 1) / unit; }

static int resident_warps(const SmLimits& sm, Block b, int registers) {
  if (b.shared > sm.max_shared_bytes_per_block) return 0;

  const int warp_regs = portions(32 * registers, sm.register_unit) * sm.register_unit;
  // warps first: what the SM can hold by threads and by registers
  int warps = sm.max_threads / 32;
  const int by_regs = 4 * (sm.registers / 4 / warp_regs);
  if (by_regs < warps) warps = by_regs;

  int blocks = warps / b.warps;
  if (blocks > sm.max_blocks) blocks = sm.max_blocks;

  // then shared memory in units
  const int units = portions(b.shared + sm.reserved_shared_bytes, sm.shared_unit);
  if (units > 0) {
    const int n = sm.shared_bytes / (units * sm.shared_unit);
    if (n < blocks) blocks = n;
  }
  return blocks * b.warps;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  for (int w = 1; w * 32 <= sm.max_threads_per_block; ++w) {
    const Block b = {w, shared_bytes + w * 32 * shared_bytes_per_thread};
    const int warps = resident_warps(sm, b, registers);
    if (warps >= most) {
      most = warps;
      best = w * 32;
    }
  }
  return best;
}
