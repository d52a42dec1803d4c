// SPDX-License-Identifier: Apache-2.0
#include "reference/merge.h"

#include <algorithm>

namespace warplings::reference {

std::vector<int> Merge(std::span<const int> a, std::span<const int> b) {
  std::vector<int> merged(a.size() + b.size());
  std::ranges::merge(a, b, merged.begin());
  return merged;
}

}  // namespace warplings::reference
