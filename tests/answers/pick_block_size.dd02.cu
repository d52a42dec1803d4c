// SPDX-License-Identifier: Apache-2.0
// mistake: Warps are limited instead of blocks: the warps that slots and registers allow are never rounded down to whole blocks.
//   2048 threads, 65536 registers, unit 256, 40 registers, no shared memory: registers allow 48 warps, and this counts
//   48 for 1024 threads, too, of which one block of 32 warps is resident; it returns 1024, right is 768. With 255
//   registers (8 warps) it returns 1024, which cannot even be launched; right is 256.
// want: With 40 registers 48 warps find theirs. How many of them can be resident when they come in blocks of 32 warps?
#include "pick_block_size.h"

namespace {
int least(int a, int b) { return a < b ? a : b; }
int ceil_to(int v, int u) { return (v / u + (v % u != 0)) * u; }
}  // namespace

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  // These two do not depend on the block, so they can stand in front of the loop.
  const int slots = sm.max_threads / 32;
  const int with_registers = 4 * (sm.registers / 4 / ceil_to(32 * registers, sm.register_unit));
  const int ceiling = least(slots, with_registers);

  int best = 0, most = 1;
  for (int w = 1; 32 * w <= sm.max_threads_per_block; ++w) {
    const int asked = shared_bytes + 32 * w * shared_bytes_per_thread;
    if (asked > sm.max_shared_bytes_per_block) break;  // larger ones ask for no less

    int blocks = sm.max_blocks;
    const int taken = ceil_to(asked + sm.reserved_shared_bytes, sm.shared_unit);
    if (taken != 0) blocks = least(blocks, sm.shared_bytes / taken);

    const int warps = least(ceiling, blocks * w);
    if (warps >= most) {
      most = warps;
      best = 32 * w;
    }
  }
  return best;
}
