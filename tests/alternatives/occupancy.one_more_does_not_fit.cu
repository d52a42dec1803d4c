// SPDX-License-Identifier: Apache-2.0
// differs: no number of blocks is computed for any resource. A predicate says whether b blocks fit into a resource;
// the answer is found by bisection, and a resource limits where one block more would not fit.

#include "occupancy.h"

namespace {

struct Question {
  SmLimits sm;
  KernelUse use;

  int up(int value, int unit) const { return value % unit ? value + unit - value % unit : value; }
  long long warps() const { return up(use.threads_per_block, 32) >> 5; }

  bool fits(int resource, long long b) const {
    if (b == 0) return true;
    switch (resource) {
      case kLimitThreads:
        return use.threads_per_block <= sm.max_threads_per_block && b * warps() * 32 <= sm.max_threads;
      case kLimitRegisters: {
        const long long in_a_partition = (b * warps() + 3) / 4;  // warps, dealt out evenly
        return in_a_partition * up(use.registers * 32, sm.register_unit) <= sm.registers / 4;
      }
      case kLimitSharedMemory:
        return use.shared_bytes <= sm.max_shared_bytes_per_block &&
               b * up(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) <= sm.shared_bytes;
      default:
        return b <= sm.max_blocks;
    }
  }

  bool fits(long long b) const {
    for (int resource = 1; resource <= 8; resource *= 2)
      if (!fits(resource, b)) return false;
    return true;
  }
};

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const Question question{sm, use};
  int yes = 0, no = sm.max_blocks + 1;
  while (no - yes > 1) {
    const int middle = yes + (no - yes) / 2;
    (question.fits(middle) ? yes : no) = middle;
  }
  Occupancy result{};
  result.blocks = yes;
  result.occupancy = static_cast<double>(yes) * question.warps() / (sm.max_threads / 32.0);
  for (const int resource : {kLimitBlocks, kLimitSharedMemory, kLimitRegisters, kLimitThreads}) {
    if (!question.fits(resource, yes + 1LL)) result.limits += resource;
  }
  return result;
}
