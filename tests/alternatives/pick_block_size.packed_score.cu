// SPDX-License-Identifier: Apache-2.0
// differs: warps and threads packed into one 64-bit score, whose maximum is taken branch-free; alternative tokens,
// everything that can be is constexpr; long lines.

#include <algorithm>
#include <cstdint>

#include "pick_block_size.h"

template <class T> constexpr T ceiling(T a, T b) { return a / b + (a % b not_eq 0); }

constexpr std::int64_t blocks_of(const SmLimits& sm, std::int64_t warps, std::int64_t registers, std::int64_t bytes) {
  const std::int64_t per_warp = ceiling<std::int64_t>(registers * 32, sm.register_unit) * sm.register_unit, taken = ceiling<std::int64_t>(bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  return warps * 32 > sm.max_threads_per_block or bytes > sm.max_shared_bytes_per_block ? 0 : std::min<std::int64_t>({sm.max_blocks, sm.max_threads / (32 * warps), sm.registers / 4 / per_warp * 4 / warps, taken ? sm.shared_bytes / taken : sm.max_blocks});
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  std::uint64_t best = 0;
  for (std::int64_t warps = sm.max_threads_per_block / 32; warps > 0; --warps) {
    const std::uint64_t resident = warps * blocks_of(sm, warps, registers, shared_bytes + 32 * warps * shared_bytes_per_thread);
    best = std::max(best, resident << 32 | (resident not_eq 0) * 32 * static_cast<std::uint64_t>(warps));
  }
  return static_cast<int>(best bitand 0xffffffffu);
}
