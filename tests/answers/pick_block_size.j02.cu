// SPDX-License-Identifier: Apache-2.0
// mistake: rounds the fixed bytes (with the reserved ones) and the bytes of the threads up to shared_unit each for
//   itself and adds them afterwards, instead of rounding the sum once. A block then takes up to one unit too much.
//   Shows only where both parts have a remainder, and a block more or less decides (64 bytes and 2 bytes a thread with
//   32 threads: 1280 instead of 1152 bytes).
// want: 64 fixed bytes, 32 threads with 2 bytes each, 1024 reserved, unit 128: what does a block take by the rules of
//   occupancy.h, and what by your two calls of pad? What exactly is rounded there, and how often?
#include "pick_block_size.h"

template <typename T>
static T pad(T value, T unit) {
  const T rest = value % unit;
  return rest == 0 ? value : value + unit - rest;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

// Blocks of `threads` threads that are resident on one SM. `portion` is what each takes of shared memory.
static int blocks_per_sm(SmLimits sm, int threads, int registers, int portion) {
  const int warps = threads / 32;  // all sizes are multiples of 32
  const int in_partition = sm.registers / 4 / pad(registers * 32, sm.register_unit);

  int blocks = least(sm.max_blocks, sm.max_threads / 32 / warps);
  blocks = least(blocks, 4 * in_partition / warps);
  if (portion > 0) blocks = least(blocks, sm.shared_bytes / portion);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0, record = 1;
  // static part: the same for all sizes
  const int fixed = pad(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);

  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const int dynamic = threads * shared_bytes_per_thread;
    if (shared_bytes + dynamic > sm.max_shared_bytes_per_block) continue;

    const int portion = fixed + pad(dynamic, sm.shared_unit);
    const int warps = blocks_per_sm(sm, threads, registers, portion) * threads / 32;
    if (warps >= record) {
      record = warps;
      best = threads;
    }
  }
  return best;
}
