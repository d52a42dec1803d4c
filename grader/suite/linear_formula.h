// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grader/core/test_result.h"
#include "grader/suite/probe.h"

namespace warplings {

/// The specification of a function that moves or adds up the elements of one input.
struct LinearContract {
  Message call;                 ///< "n = 257"; becomes Explanation::call.
  std::string input, output;    ///< "X", "sums".
  std::size_t input_count = 0;  ///< Number of elements.
  std::function<std::string(std::size_t)>
      input_place;  ///< The name of an element, "[2][1]", by its index in the array.
  std::function<std::string(std::size_t)> output_place;  ///< The same for the output.
  /// The indices of the input elements whose sum is the given output element, in ascending order.
  std::function<std::vector<ElementIndex>(std::size_t)> right;
  /// Whether the kernels load as many bytes as the input has: an element that a sum lacks is then lost behind
  /// its load.
  bool loads_all = false;
};

/// Lists the first wrong elements beside the right formulas, and facts about all of them. No elements if
/// every formula that was found is right. With `every`, lists all elements as well.
Explanation ExplainLinear(const LinearContract& contract, const ProbeResult& probed, bool every = false);

/// Facts about one sum, from how often each element was counted: "elements 1024 to 1151 are counted twice".
/// Empty if each is counted once. `loaded`: how many elements the kernels load, if that is known; `blocks`:
/// of the only launch, or 0.
std::vector<Message> FactsOfCounts(const std::string& input, const std::vector<CountedRange>& ranges,
                                   std::uint64_t loaded = UINT64_MAX, std::uint64_t blocks = 0);

}  // namespace warplings
