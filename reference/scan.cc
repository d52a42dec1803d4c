// SPDX-License-Identifier: Apache-2.0
#include "reference/scan.h"

namespace warplings::reference {

std::vector<int> Scan(std::span<const int> input, std::size_t piece) {
  std::vector<int> sums(input.begin(), input.end());
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (piece == 0 || i % piece != 0) sums[i] += sums[i - 1];
  }
  return sums;
}

}  // namespace warplings::reference
