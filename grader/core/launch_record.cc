// SPDX-License-Identifier: Apache-2.0
#include "grader/core/launch_record.h"

namespace warplings {

Counts& Counts::operator+=(const Counts& other) {
  std::vector<std::uint64_t> added;
  VisitCounts(other, [&](const char*, std::uint64_t value) { added.push_back(value); });
  auto next = added.begin();
  VisitCounts(*this, [&](const char*, std::uint64_t& value) { value += *next++; });
  return *this;
}

}  // namespace warplings
