// SPDX-License-Identifier: Apache-2.0
// mistake: from the largest size down, the search stops as soon as a size is worse than the best so far, as if the warps
//   could only fall from there; they go up and down. 2048 threads, 65536 registers, 40 registers a thread: 48 warps find
//   room. 1024: one block, 32 warps; 992: one block, 31: stop, 1024. But 768 has two blocks, 48 warps.
// want: Write the resident warps down for 1024, 992, ... 768 threads with 40 registers each. Once they have fallen, do
//   they rise again?
#include "pick_block_size.h"

namespace {
int ceil_div(int a, int b) { return a / b + (a % b != 0); }
}

// Blocks of `threads` threads that are resident on one SM; 0 where they cannot be launched.
int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  // warps the SM can have: thread slots, and registers
  int slots = sm.max_threads / 32;
  int with_registers = 4 * (sm.registers / 4 / (ceil_div(32 * registers, sm.register_unit) * sm.register_unit));
  if (with_registers < slots) slots = with_registers;

  int blocks = slots / ceil_div(threads, 32);
  if (blocks > sm.max_blocks) blocks = sm.max_blocks;

  int units = ceil_div(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (units != 0 && blocks > sm.shared_bytes / (units * sm.shared_unit))
    blocks = sm.shared_bytes / (units * sm.shared_unit);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  // Largest first: then a tie needs no care, the first one found is the largest.
  int threads = sm.max_threads_per_block / 32 * 32;
  while (threads > 0) {
    int blocks = blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    int warps = blocks * (threads / 32);
    if (warps > most) {
      most = warps;
      best = threads;
    } else if (warps < most) {
      break;  // past the best
    }
    threads -= 32;
  }
  return best;
}
