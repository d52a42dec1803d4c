// SPDX-License-Identifier: Apache-2.0
// mistake: goes from the largest size down and stops as soon as a size is worse than the best so far; the number of
//   resident warps goes up and down with the size (40 registers: 1024 gives 32 warps, 992 only 31, 768 gives 48).
// want: With 40 registers, how many warps are resident with 1024, 992 and 768 threads? Does a size that is worse tell
//   you that all smaller ones are worse, too?
#include <algorithm>

#include "pick_block_size.h"

static int warps_resident(const SmLimits& sm, int threads, int registers, long long shared) {
  if (threads > sm.max_threads_per_block) return 0;
  if (shared > sm.max_shared_bytes_per_block) return 0;

  const int warps = threads / 32;
  int blocks = std::min(sm.max_blocks, sm.max_threads / 32 / warps);

  const int regs = (registers * 32 + sm.register_unit - 1) / sm.register_unit * sm.register_unit;
  const int warps_by_regs = sm.registers / 4 / regs * 4;
  blocks = std::min(blocks, warps_by_regs / warps);

  const long long takes = (shared + sm.reserved_shared_bytes + sm.shared_unit - 1) / sm.shared_unit * sm.shared_unit;
  if (takes > 0) {
    blocks = std::min(blocks, (int)(sm.shared_bytes / takes));
  }
  return blocks * warps;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int answer = 0;
  int answer_warps = 0;
  // From the top, so the largest of equally good ones is found first.
  for (int size = sm.max_threads_per_block / 32 * 32; size >= 32; size -= 32) {
    const long long shared = shared_bytes + (long long)size * shared_bytes_per_thread;
    const int warps = warps_resident(sm, size, registers, shared);
    if (warps > answer_warps) {
      answer = size;
      answer_warps = warps;
    } else if (warps < answer_warps) {
      break;  // past the peak
    }
  }
  return answer;
}
