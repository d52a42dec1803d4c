// SPDX-License-Identifier: Apache-2.0
// mistake: gives registers to whole blocks from one pool (registers x threads, rounded up once) instead of to warps, each
//   rounded up and in one of four partitions. With 40 registers and 65,536: a block of 544 threads seems to fit three
//   times, 51 warps, but the four partitions hold 12 warps each: 48, and 768 would be the answer.
// want: Who gets registers, a block or a warp, and out of which partition? With 40 registers a thread, how many warps
//   find room in one partition of 16,384, and how many in all four?
#include "pick_block_size.h"

int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

int least(int a, int b) {
  return a < b ? a : b;
}

// threads is a multiple of 32 here
int blocks_per_sm(SmLimits sm, int threads, int registers, long long shared_bytes) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int from_threads = (sm.max_threads / 32) / (threads / 32);
  const int from_registers = sm.registers / round_up(registers * threads, sm.register_unit);

  int blocks = least(sm.max_blocks, least(from_threads, from_registers));

  const int block_bytes = round_up(static_cast<int>(shared_bytes) + sm.reserved_shared_bytes, sm.shared_unit);
  if (block_bytes != 0) {
    blocks = least(blocks, sm.shared_bytes / block_bytes);
  }
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  // from the largest size down, so that a tie leaves the larger one in place
  for (int threads = sm.max_threads_per_block / 32 * 32; threads >= 32; threads -= 32) {
    const long long bytes = shared_bytes + 1LL * shared_bytes_per_thread * threads;
    const int warps = threads / 32 * blocks_per_sm(sm, threads, registers, bytes);
    if (warps > most) {
      most = warps;
      best = threads;
    }
  }
  return best;
}
