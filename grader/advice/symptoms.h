// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// What a failing test shows, in order from cause to effect. Last what is reported and has no effect: values
/// that nobody set, and that no element depends on; and questions about code that is right.
enum class Stage { kAccess, kOrder, kValues, kPrice, kUnused };

struct Symptom {
  Stage stage = Stage::kValues;
  std::string what;
  bool is_finding = false;  ///< What the device found, and not only values, a verdict or a limit.
  friend auto operator<=>(const Symptom&, const Symptom&) = default;
};
using Symptoms = std::vector<Symptom>;

/// Whether a finding of this kind is about threads that are missing at a barrier or in an operation of their
/// warp. That follows from no wrong index and no wrong value, as an access outside an array may.
bool IsOfMissingThreads(FindingKind kind);

/// Whether a failing test says that the host may have computed the output: it read device memory before the
/// kernel that stored the output, or no kernel stored it.
bool ReadsBackFirst(const TestResult& test);

/// The same, or that a copy stored it and the host may have computed what that copied. An answer that only
/// takes its results on a detour does so, too: this is for people to look at, and ranks no cause.
bool MayBeOfHost(const TestResult& test);

/// Of ReadsBackFirst(), whether no kernel computed it: none was launched or loads anything, or the kernel
/// loads no input and passes on what the host computed.
bool IsComputedByHost(const TestResult& test);

/// Whether the line of a race, or of a read of what nothing has stored, leaves another array in one of the
/// tests. By that it comes to this array, too.
bool FollowsFromOutside(const Finding& met, const std::vector<TestResult>& tests);

/// Elements that no thread has stored come first among the test's wrong ones.
bool LeavesUnwritten(const TestResult& test);

/// A failing test with what it shows.
struct Failure {
  const TestResult* test = nullptr;
  Symptoms symptoms;
  bool Has(const Symptom& symptom) const { return std::ranges::count(symptoms, symptom) > 0; }
};
using Failures = std::vector<Failure>;

/// The failing tests in their order.
Failures FailuresOf(const ExerciseResult& result);

}  // namespace warplings
