// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/suite/judge.h"
#include "grader/suite/linear_formula.h"
#include "grader/suite/suite_messages.h"

namespace warplings {

/// Of sums that the warps of a block begin and its first warp ends: what is added again, and why, where
/// exactly the lanes of that warp that have no other warp's sum still hold an earlier one. Empty otherwise.
std::vector<Message> LanesOfEarlierStep(const LinearContract& contract, const ProbeResult& probed,
                                        const Dim3& block);

/// "RectMatmul.OneElement" of "OneElement": a suite program has one fixture.
std::string FullNameOf(const std::string& test);

/// Values are wrong, and nothing worse happened.
bool HasWrongValues(const TestResult& result);

/// Threads that are out of step give another answer each time; what one of them was says little.
bool IsOutOfStep(const TestResult& result);

/// One call to look at, of a function that moves or adds up the elements of one input. Other inputs may say
/// which elements: indices, the starts of rows.
struct LinearProbe {
  LinearContract contract;
  std::size_t output_count = 0;
  bool is_of_integers = false;  ///< Arrays of int instead of float.
  /// The inputs that hold the same elements in each of the calls, because the contract does not allow any
  /// value there.
  std::vector<CallArray> kept{};
  /// `kept`: where these are, in the same order.
  std::function<CallOutcome(Worker& worker, DevicePointer input, DevicePointer output,
                            std::span<const DevicePointer> kept)>
      entry;
  /// What this suite alone can say, before the facts of all functions of this kind; may be empty.
  std::function<std::vector<Message>(const ProbeResult& probed, std::span<const LaunchRecord> launches)>
      own_facts;
};

struct LinearTest {
  std::string test;  ///< "OneElement".
  const TestResult* result = nullptr;
  /// Its call, where it may be looked at because none of the suite's own calls is wrong.
  std::optional<LinearProbe> probe{};
};

/// What the submission computes in the first of these calls that is wrong, or in the shortest wrong one of
/// the tests, told of the first test with wrong values; nothing where another fault says more.
std::vector<Explained> ExplainLinearCalls(std::span<const LinearTest> tests,
                                          std::span<const LinearProbe> probes);

}  // namespace warplings
