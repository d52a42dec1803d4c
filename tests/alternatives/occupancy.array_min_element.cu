// SPDX-License-Identifier: Apache-2.0
// differs: the four numbers in a std::array, in the order of their bits; std::min_element; quotients by std::div;
// 64-bit throughout. Windows line ends.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "occupancy.h"

using Number = long long;

static Number portions(Number value, Number unit) {
  const auto q = std::lldiv(value, unit);
  return q.quot + (q.rem != 0);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const Number warps = portions(use.threads_per_block, 32);
  const Number warp_registers = portions(32LL * use.registers, sm.register_unit) * sm.register_unit;
  const Number block_bytes = portions(static_cast<Number>(use.shared_bytes) + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;

  std::array<Number, 4> blocks;
  blocks[0] = use.threads_per_block <= sm.max_threads_per_block ? sm.max_threads / (32 * warps) : 0;
  blocks[1] = sm.registers / 4 / warp_registers * 4 / warps;
  blocks[2] = use.shared_bytes > sm.max_shared_bytes_per_block ? 0 : block_bytes != 0 ? sm.shared_bytes / block_bytes : std::numeric_limits<Number>::max();
  blocks[3] = sm.max_blocks;

  const Number least = *std::min_element(blocks.begin(), blocks.end());
  int bits = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) bits |= (blocks[i] == least) << i;
  return Occupancy{static_cast<int>(least), 32.0 * static_cast<double>(least * warps) / sm.max_threads, bits};
}
