// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace warplings::reference {

/// The sum of the elements up to each, inclusive. With `piece`, the sums begin anew at each multiple of it.
std::vector<int> Scan(std::span<const int> input, std::size_t piece = 0);

}  // namespace warplings::reference
