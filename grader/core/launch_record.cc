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

}  // namespace warplings
