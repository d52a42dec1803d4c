// SPDX-License-Identifier: Apache-2.0
// differs: turns the question round: for each number of blocks, the largest size with which so many are resident, found
// by bisection (a larger block never lets more blocks in).

#include <algorithm>

#include "pick_block_size.h"

// Are `blocks` blocks of `warps` warps resident together?
static bool together(const SmLimits& sm, long long blocks, long long warps, int registers, long long bytes) {
  const long long warp_registers = (registers * 32LL + sm.register_unit - 1) / sm.register_unit * sm.register_unit;
  const long long taken = (bytes + sm.reserved_shared_bytes + sm.shared_unit - 1) / sm.shared_unit * sm.shared_unit;
  return warps * 32 <= sm.max_threads_per_block && bytes <= sm.max_shared_bytes_per_block &&
         blocks * warps <= sm.max_threads / 32 && (blocks * warps + 3) / 4 * warp_registers <= sm.registers / 4 &&
         blocks * taken <= sm.shared_bytes;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  long long best_warps = 0, best_size = 0;
  for (int blocks = 1; blocks <= sm.max_blocks; ++blocks) {
    long long fits = 0, does_not = sm.max_threads_per_block / 32 + 1;
    while (does_not - fits > 1) {
      const long long warps = (fits + does_not) / 2;
      const long long bytes = shared_bytes + warps * 32 * shared_bytes_per_thread;
      (together(sm, blocks, warps, registers, bytes) ? fits : does_not) = warps;
    }
    // With fewer blocks the size is larger: at equal warps the larger one stays.
    if (blocks * fits > best_warps) {
      best_warps = blocks * fits;
      best_size = fits * 32;
    } else if (blocks * fits == best_warps) {
      best_size = std::max(best_size, fits * 32);
    }
  }
  return static_cast<int>(best_size);
}
