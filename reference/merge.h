// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace warplings::reference {

/// All elements of both, each of which is in ascending order, in ascending order.
std::vector<int> Merge(std::span<const int> a, std::span<const int> b);

}  // namespace warplings::reference
