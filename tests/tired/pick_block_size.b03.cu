// SPDX-License-Identifier: Apache-2.0
// mistake: registers are counted per block and out of one pool (threads * registers rounded up once), instead of
//   per warp and in four partitions: 40 registers give 51 warps in place of 48.
// want: how many warps of 40 registers find place in a quarter of 65,536 registers? What is left over in two
//   partitions does not make room for one more warp.
#include <algorithm>

#include "pick_block_size.h"

namespace {

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

int blocks_per_sm(const SmLimits& sm, int threads, int registers, int shared_bytes) {
  if (threads > sm.max_threads_per_block || shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int block_registers = round_up(threads * registers, sm.register_unit);
  const int block_shared = round_up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  int blocks = std::min({sm.max_blocks, sm.max_threads / threads, sm.registers / block_registers});
  if (block_shared > 0) blocks = std::min(blocks, sm.shared_bytes / block_shared);
  return blocks;
}

}  // namespace

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int best = 0;
  int most = 0;
  // The largest first, so that of equally good ones it stays.
  for (int threads = sm.max_threads_per_block / 32 * 32; threads > 0; threads -= 32) {
    const int resident =
        threads * blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    if (resident > most) {
      most = resident;
      best = threads;
    }
  }
  return best;
}
