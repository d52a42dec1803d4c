// SPDX-License-Identifier: Apache-2.0
// differs: brute force: for each resource alone, blocks are put on an empty SM one by one until the next has no room;
// warps look for a partition with enough registers left. Nothing is divided.

#include <functional>
#include <vector>

#include "occupancy.h"

static int rounded(int value, int unit) {
  while (value % unit != 0) ++value;
  return value;
}

// How often does place() succeed? No more than limit times is asked.
static int count(const std::function<bool()>& place, int limit) {
  int placed = 0;
  while (placed < limit && place()) ++placed;
  return placed;
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  std::vector<int> warps(rounded(use.threads_per_block, 32) / 32);
  for (int& registers : warps) registers = rounded(32 * use.registers, sm.register_unit);
  const int beyond = sm.max_blocks + 1;  // as good as no limit

  int threads_left = sm.max_threads;
  const auto threads = [&] {
    if (use.threads_per_block > sm.max_threads_per_block) return false;
    threads_left -= 32 * static_cast<int>(warps.size());
    return threads_left >= 0;
  };

  int partitions[4] = {sm.registers / 4, sm.registers / 4, sm.registers / 4, sm.registers / 4};
  const auto registers = [&] {
    for (int needed : warps) {
      bool found = false;
      for (int& left : partitions) {
        if (!found && left >= needed) {
          left -= needed;
          found = true;
        }
      }
      if (!found) return false;
    }
    return true;
  };

  int bytes_left = sm.shared_bytes;
  const auto shared = [&] {
    if (use.shared_bytes > sm.max_shared_bytes_per_block) return false;
    bytes_left -= rounded(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
    return bytes_left >= 0;
  };

  const int allowed[4] = {count(threads, beyond), count(registers, beyond), count(shared, beyond), sm.max_blocks};
  Occupancy answer = {sm.max_blocks, 0.0, 0};
  for (int a : allowed) answer.blocks = a < answer.blocks ? a : answer.blocks;
  for (int i = 0; i < 4; ++i) answer.limits += allowed[i] <= answer.blocks ? 1 << i : 0;
  answer.occupancy = static_cast<double>(answer.blocks * static_cast<int>(warps.size())) / (sm.max_threads / 32);
  return answer;
}
