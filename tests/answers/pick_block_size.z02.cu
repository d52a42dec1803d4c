// SPDX-License-Identifier: Apache-2.0
// mistake: Only the fixed part of the shared memory is held against max_shared_bytes_per_block, not what the threads need
//   in addition. SM of 167936 bytes, at most 49152 per block, 1024 reserved, unit 128, 2048 threads, 32 blocks, 65536
//   registers; 32 registers, 0 + 64 bytes a thread: 1024 threads would need 65536 bytes and cannot be launched, but
//   1024 is returned; right is 512. (Leaving the loop at the first size of which no block fits is right.)
// want: Your answer is 1024 threads, each with 64 bytes, and a block may have 49152 bytes. Could it be launched? Which line
//   of yours should have noticed?
#include "pick_block_size.h"

struct Block {
  int threads;
  int registers;
  int fixed_bytes;
  int bytes_per_thread;

  int warps() const { return threads / 32; }
  int bytes() const { return fixed_bytes + threads * bytes_per_thread; }
};

template <typename T>
static T least(T a, T b) {
  return b < a ? b : a;
}

static int blocks_per_sm(const SmLimits& sm, const Block& b) {
  int n = least(sm.max_blocks, (sm.max_threads / 32) / b.warps());

  int per_warp = b.registers * 32;
  if (per_warp % sm.register_unit) per_warp += sm.register_unit - per_warp % sm.register_unit;
  const int warps = 4 * ((sm.registers / 4) / per_warp);
  n = least(n, warps / b.warps());

  int smem = b.bytes() + sm.reserved_shared_bytes;
  if (smem % sm.shared_unit) smem += sm.shared_unit - smem % sm.shared_unit;
  if (smem > 0) n = least(n, sm.shared_bytes / smem);
  return n;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;  // no size can help that

  int best = 0, best_warps = 1;
  for (int t = 32; t <= sm.max_threads_per_block; t += 32) {
    const Block b{t, registers, shared_bytes, shared_bytes_per_thread};
    const int n = blocks_per_sm(sm, b);
    if (n == 0) break;  // a larger one fits even less
    if (n * b.warps() >= best_warps) {
      best_warps = n * b.warps();
      best = t;
    }
  }
  return best;
}
