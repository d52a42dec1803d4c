// SPDX-License-Identifier: Apache-2.0
#include "grader/core/launch_record.h"

#include <tuple>

namespace warplings {

Counts& Counts::operator+=(const Counts& other) {
  std::vector<std::uint64_t> added;
  VisitCounts(other, [&](const char*, std::uint64_t value) { added.push_back(value); });
  auto next = added.begin();
  VisitCounts(*this, [&](const char*, std::uint64_t& value) { value += *next++; });
  return *this;
}

LaunchWork& LaunchWork::operator+=(const LaunchWork& other) {
  std::vector<double> added;
  VisitWork(other, [&](const char*, auto value) { added.push_back(static_cast<double>(value)); });
  auto next = added.begin();
  VisitWork(*this, [&]<class Number>(const char*, Number& value) {
    value = static_cast<Number>(static_cast<double>(value) + *next++);
  });
  has_matrix_operations = has_matrix_operations || other.has_matrix_operations;
  return *this;
}

void AddLines(std::vector<LineCounts>& sum, const std::vector<LineCounts>& lines) {
  auto place = sum.begin();
  auto key = [](const LineCounts& line) { return std::tie(line.where.file, line.where.line); };
  for (const LineCounts& line : lines) {
    while (place != sum.end() && key(*place) < key(line)) ++place;
    if (place == sum.end() || key(*place) != key(line)) place = sum.insert(place, {line.where, {}});
    place->counts += line.counts;
  }
}

}  // namespace warplings
