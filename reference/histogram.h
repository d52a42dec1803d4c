// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace warplings::reference {

/// How many elements of `input` equal b, for 0 <= b < bins. All of them lie in that range.
std::vector<int> Histogram(std::span<const int> input, int bins);

}  // namespace warplings::reference
