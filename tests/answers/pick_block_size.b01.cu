// SPDX-License-Identifier: Apache-2.0
// mistake: only powers of two are tried as block sizes; any multiple of 32 may be the best, or the largest among
//   equally good ones (768 threads where 48 warps are the most).
// want: with 40 registers a thread 48 warps are resident at best. How many warps does each multiple of 32 give,
//   768 included? Which sizes does your loop visit?
#include "pick_block_size.h"

static int ceil_to(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

struct Kernel {
  int registers;
  int shared_bytes;
  int shared_bytes_per_thread;
};

// Warps that are resident on one SM with blocks of `threads`.
static int resident_warps(const SmLimits& sm, const Kernel& kernel, int threads) {
  const int warps = threads / 32;
  const int shared = kernel.shared_bytes + threads * kernel.shared_bytes_per_thread;
  if (threads > sm.max_threads_per_block || shared > sm.max_shared_bytes_per_block) return 0;

  int blocks = sm.max_threads / 32 / warps;
  if (blocks > sm.max_blocks) blocks = sm.max_blocks;

  const int warps_by_registers = 4 * (sm.registers / 4 / ceil_to(kernel.registers * 32, sm.register_unit));
  if (blocks > warps_by_registers / warps) blocks = warps_by_registers / warps;

  const int block_bytes = ceil_to(shared + sm.reserved_shared_bytes, sm.shared_unit);
  if (block_bytes > 0 && blocks > sm.shared_bytes / block_bytes) blocks = sm.shared_bytes / block_bytes;
  return blocks * warps;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  const Kernel kernel = {registers, shared_bytes, shared_bytes_per_thread};
  int best = 0;
  int most = 0;
  for (int threads = 32; threads <= sm.max_threads_per_block; threads *= 2) {
    const int warps = resident_warps(sm, kernel, threads);
    if (warps > 0 && warps >= most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
