// SPDX-License-Identifier: Apache-2.0
// differs: all candidates in a std::vector of pairs (warps, threads), the answer is the greatest pair. The arithmetic is
// in doubles. Byte order mark, Chinese comments, no newline at the end.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "pick_block_size.h"

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  std::vector<std::pair<double, int>> candidates = {{0.0, 0}};  // 没有任何大小可用时的答案
  for (int threads = 32; threads <= sm.max_threads_per_block; threads += 32) {
    const double bytes = shared_bytes + static_cast<double>(threads) * shared_bytes_per_thread;
    if (bytes > sm.max_shared_bytes_per_block) continue;
    const double warps = threads / 32;
    const double by_threads = std::floor(sm.max_threads / 32 / warps);
    const double per_warp = std::ceil(32.0 * registers / sm.register_unit) * sm.register_unit;
    const double by_registers = std::floor(4 * std::floor(sm.registers / 4 / per_warp) / warps);
    const double taken = std::ceil((bytes + sm.reserved_shared_bytes) / sm.shared_unit) * sm.shared_unit;
    const double by_memory = taken > 0 ? std::floor(sm.shared_bytes / taken) : sm.max_blocks;
    const double blocks = std::min({static_cast<double>(sm.max_blocks), by_threads, by_registers, by_memory});
    if (blocks > 0) candidates.emplace_back(blocks * warps, threads);
  }
  return std::max_element(candidates.begin(), candidates.end())->second;  // 同样多的线程束时取更大的块
}