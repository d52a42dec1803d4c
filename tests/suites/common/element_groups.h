// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace warplings {

/// How code takes elements together: `size` of them, each `stride` behind the one before it, as one thread's
/// or one vector's. Code that asks only for the last of a group leaves out others that exist.
struct ElementGroups {
  std::size_t size = 1, stride = 1;
  bool keeps_first = false;  ///< The first of each group is asked for by itself.

  /// The last element of the group that this one is in.
  std::size_t LastOf(std::size_t place) const {
    const std::size_t all = size * stride;
    return place / all * all + (size - 1) * stride + place % stride;
  }

  /// Whether it is one of `count` elements, and left out because the last of its group is not.
  bool LeavesOut(std::size_t place, std::size_t count) const {
    const bool is_first = place % (size * stride) < stride;
    return place < count && LastOf(place) >= count && !(keeps_first && is_first);
  }
};

/// Of a tree in which each step adds the upper half of `count` sums to the lower one, where that number is
/// halved and rounded down: whether this sum is lost, as the last one of an odd number.
inline bool IsLostByHalving(std::size_t place, std::size_t count) {
  while (count > 1) {
    const std::size_t half = count / 2;
    if (place >= 2 * half) return true;
    if (place >= half) place -= half;
    count = half;
  }
  return false;
}

}  // namespace warplings
