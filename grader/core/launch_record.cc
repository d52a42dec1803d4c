// SPDX-License-Identifier: Apache-2.0
#include "grader/core/launch_record.h"

#include <tuple>

#include "grader/base/reflect.h"

namespace warplings {
namespace {

void Add(std::uint64_t& sum, std::uint64_t value) {
  sum += value;
}
void Add(double& sum, double value) {
  sum += value;
}
void Add(bool& any, bool value) {
  any = any || value;
}

/// Adds each member to the one of the same name.
template <class T>
T& AddMembers(T& sum, const T& other) {
  reflect::ApplyToMembers(sum, [&other](auto&... sums) {
    reflect::ApplyToMembers(other, [&](const auto&... values) { (Add(sums, values), ...); });
  });
  return sum;
}

}  // namespace

Counts& Counts::operator+=(const Counts& other) {
  return AddMembers(*this, other);
}

LaunchWork& LaunchWork::operator+=(const LaunchWork& other) {
  return AddMembers(*this, other);
}

void AddLines(std::vector<LineCounts>& sum, const std::vector<LineCounts>& lines) {
  auto place = sum.begin();
  auto key = [](const LineCounts& line) { return std::tie(line.where.file, line.where.line); };
  for (const LineCounts& line : lines) {
    while (place != sum.end() && key(*place) < key(line)) ++place;
    if (place == sum.end() || key(*place) != key(line)) place = sum.insert(place, {line.where, {}});
    place->counts += line.counts;
    for (const CallCounts& call : line.calls) {
      const auto known = std::ranges::lower_bound(place->calls, call.line, {}, &CallCounts::line);
      if (known != place->calls.end() && known->line == call.line) {
        known->counts += call.counts;
      } else {
        place->calls.insert(known, call);
      }
    }
  }
}

}  // namespace warplings
