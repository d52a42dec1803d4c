// SPDX-License-Identifier: Apache-2.0
#include "reference/histogram.h"

namespace warplings::reference {

std::vector<int> Histogram(std::span<const int> input, int bins) {
  std::vector<int> counts(static_cast<std::size_t>(bins));
  for (const int value : input) ++counts.at(static_cast<std::size_t>(value));
  return counts;
}

}  // namespace warplings::reference
