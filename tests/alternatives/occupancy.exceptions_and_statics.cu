// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: blocks that cannot be launched are exceptions (throw, catch), the resources stand in a static
// std::vector of std::function, std::inner_product and std::numeric_limits do the rest; vector.at() checks its index.

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "occupancy.h"

static int warps(const KernelUse& use) { return (use.threads_per_block - 1) / 32 + 1; }
static int up(int value, int unit) { return value == 0 ? 0 : ((value - 1) / unit + 1) * unit; }

Occupancy occupancy(SmLimits sm, KernelUse use) {
  using Resource = std::function<int(const SmLimits&, const KernelUse&)>;
  static const std::vector<Resource> resources = {
      [](const SmLimits& s, const KernelUse& u) {
        if (u.threads_per_block > s.max_threads_per_block) throw std::length_error("too many threads");
        return s.max_threads / 32 / warps(u);
      },
      [](const SmLimits& s, const KernelUse& u) { return 4 * (s.registers / 4 / up(32 * u.registers, s.register_unit)) / warps(u); },
      [](const SmLimits& s, const KernelUse& u) {
        if (u.shared_bytes > s.max_shared_bytes_per_block) throw std::runtime_error("too much shared memory");
        const int taken = up(u.shared_bytes + s.reserved_shared_bytes, s.shared_unit);
        return taken ? s.shared_bytes / taken : std::numeric_limits<int>::max();
      },
      [](const SmLimits& s, const KernelUse&) { return s.max_blocks; },
  };

  std::vector<int> allowed(resources.size());
  std::transform(resources.begin(), resources.end(), allowed.begin(), [&](const Resource& resource) {
    try {
      return resource(sm, use);
    } catch (const std::exception&) {
      return 0;
    }
  });
  const int least = *std::min_element(allowed.cbegin(), allowed.cend());
  Occupancy result{least, 0.0, 0};
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed.at(i) == least) result.limits |= 1 << i;
  result.occupancy = static_cast<double>(least) * warps(use) / (sm.max_threads / 32);
  return result;
}
