// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/judge/suite_messages.h"

namespace warplings {

// What suites ask about one test when they recognise misconceptions.

/// True when something was launched and every launch ran to its end; neither findings nor counts of a test
/// that broke off can be relied on.
bool Completed(const TestResult& test);

bool HasFinding(const TestResult& test, FindingKind kind);
bool HasFinding(const TestResult& test, FindingKind kind, MemorySpace space);
bool HasError(const TestResult& test);  ///< Any finding of severity error.

/// Thread-accesses outside the array called `label`.
std::uint64_t CountOutside(const TestResult& test, std::string_view label, Access access);

/// Of all launches.
Counts TotalCounts(const TestResult& test);

/// Shared-memory conflicts per request, loads and stores together; 0 without a request.
double ConflictsPerRequest(const Counts& counts);

/// The first of the tests for which `predicate` holds, of failed ones if it holds for any: a report names it,
/// and a test that passed is no example of what is wrong. Null if there is none.
template <class Evidence, class Predicate>
const Evidence* FirstWith(std::span<const Evidence> all, const Predicate& predicate) {
  const auto failed = std::ranges::find_if(
      all, [&](const Evidence& each) { return HasFailed(each.result) && predicate(each); });
  if (failed != all.end()) return &*failed;
  const auto found = std::ranges::find_if(all, predicate);
  return found == all.end() ? nullptr : &*found;
}

/// "12.8"
std::string OneDecimal(double value);

/// Adds a misconception unless it is there already.
void AddRecognised(std::vector<Recognised>& found, std::string id, std::string evidence);

/// The same of one that explains this test and no other, or those of several calls: where tests that fail
/// alike may have another cause.
void AddRecognisedIn(std::vector<Recognised>& found, const std::string& id, const std::string& evidence,
                     const std::string& test);

/// Leaves out what is not among `ids`: for suites that share a recogniser which knows more misconceptions
/// than the exercise has in chapter.toml.
void KeepRecognised(std::vector<Recognised>& found, std::span<const std::string_view> ids);

}  // namespace warplings
