// SPDX-License-Identifier: Apache-2.0
// differs: all in doubles with std::floor and std::ceil, infinity where a resource does not limit. Byte order mark,
// Chinese comments, no newline at the end.

#include <algorithm>
#include <cmath>

#include "occupancy.h"

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const double warps = std::ceil(use.threads_per_block / 32.0);  // 一个块的线程束数

  double threads = std::floor(sm.max_threads / 32.0 / warps);
  if (use.threads_per_block > sm.max_threads_per_block) threads = 0;  // 无法启动

  const double unit = sm.register_unit;
  const double per_warp = std::ceil(32.0 * use.registers / unit) * unit;
  const double registers = std::floor(4 * std::floor(sm.registers / 4 / per_warp) / warps);

  const double bytes = std::ceil((0.0 + use.shared_bytes + sm.reserved_shared_bytes) / sm.shared_unit) * sm.shared_unit;
  double shared = bytes > 0 ? std::floor(sm.shared_bytes / bytes) : HUGE_VAL;  // 不占用就没有限制
  if (use.shared_bytes > sm.max_shared_bytes_per_block) shared = 0;

  const double blocks = std::min({threads, registers, shared, static_cast<double>(sm.max_blocks)});
  const int limits = (threads > blocks ? 0 : kLimitThreads) + (registers > blocks ? 0 : kLimitRegisters) +
                     (shared > blocks ? 0 : kLimitSharedMemory) + (sm.max_blocks > blocks ? 0 : kLimitBlocks);
  return {static_cast<int>(blocks), blocks * warps * 32 / sm.max_threads, limits};
}