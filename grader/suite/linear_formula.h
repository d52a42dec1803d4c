// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"

namespace warplings {

/// What is asked of a function that moves or adds up the elements of one input.
struct LinearContract {
  std::string call;                                      ///< "n = 257", as Explanation has it.
  std::string input, output;                             ///< "X", "sums".
  std::size_t input_count = 0;                           ///< Elements.
  std::function<std::string(std::size_t)> input_place;   ///< "[2][1]" of an index inside the array.
  std::function<std::string(std::size_t)> output_place;  ///< The same of the output.
  /// The elements of the input that belong into an element of the output, the lowest first.
  std::function<std::vector<ElementIndex>(std::size_t)> right;
};

/// The first wrong elements beside the right ones, and what can be said of all. No elements where all that is
/// known is right. With `every`, all elements besides.
Explanation ExplainLinear(const LinearContract& contract, const ProbeResult& probed, bool every = false);

/// The same of one sum, from how often each element was counted: "elements 1024 to 1151 are counted twice".
/// Empty where each is counted once.
std::vector<std::string> FactsOfCounts(const std::string& input, const std::vector<CountedRange>& ranges);

}  // namespace warplings
