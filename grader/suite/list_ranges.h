// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "grader/messages/product_facts.h"

namespace warplings {

/// The ranges in numbers in ascending order, each as `name` has it from its first to its last, no more than
/// three of them, and how many numbers there are besides: "0 to 7, 16 and 3 more". Empty without numbers.
inline Message ListRanges(const std::vector<std::int64_t>& all,
                          const std::function<Message(std::int64_t first, std::int64_t last)>& name) {
  constexpr std::size_t kMostRanges = 3;
  std::vector<Message> ranges;
  std::size_t at = 0;
  while (at < all.size() && ranges.size() < kMostRanges) {
    std::size_t last = at;
    while (last + 1 < all.size() && all[last + 1] == all[last] + 1) ++last;
    ranges.push_back(name(all[at], all[last]));
    at = last + 1;
  }
  if (ranges.empty()) return {};
  const Message listed = ranges.size() == 1   ? ranges[0]
                         : ranges.size() == 2 ? say::two_listed(ranges[0], ranges[1])
                                              : say::three_listed(ranges[0], ranges[1], ranges[2]);
  return at < all.size() ? say::listed_and_more(listed, all.size() - at) : listed;
}

}  // namespace warplings
