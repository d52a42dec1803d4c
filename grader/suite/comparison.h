// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/test_result.h"

namespace warplings {

/// The value that outputs are filled with before a call: a quiet NaN that no computation produces, so that an
/// element that was never written can be told from one that became NaN. It is not a plausible integer either.
/// Each run has its own (SetPoison), so that no submission knows it beforehand.
std::uint32_t Poison();
/// Sets it for the whole process, before the first call is made.
void SetPoison(std::uint32_t poison);

bool IsPoison(float value);
bool IsPoisonInt(int value);

/// Computed as `!(difference <= bound)`, so that NaN is wrong.
bool IsWrong(float actual, double expected, double bound);

struct Comparison {
  std::uint64_t wrong_count = 0, element_count = 0;
  std::vector<WrongElement> wrong;  ///< The first kMaxListed wrong elements.
  std::optional<OutputMap> map;     ///< If KeepsOutputMaps().
  static constexpr std::size_t kMaxListed = 8;
};

/// Sets, for the whole process, whether comparisons record a map of the output and explanations record every
/// formula. On when a profile is drawn.
void KeepOutputMaps(bool keep);
bool KeepsOutputMaps();

/// Compares element by element: wrong if |actual - expected| exceeds the element's `bound`. The spans have
/// the same length. `where` names an element, given its index ("P[2][1]", "feature 0 of sample 1").
/// `columns`: elements per row, for the map; 0 if elements have a single index.
Comparison CompareFloats(std::span<const float> actual, std::span<const double> expected,
                         std::span<const double> bound, const std::function<Message(std::size_t)>& where,
                         std::size_t columns = 0);

/// The same for integers, which have to be exactly right.
Comparison CompareInts(std::span<const int> actual, std::span<const int> expected,
                       const std::function<Message(std::size_t)>& where, std::size_t columns = 0);

/// Adds the next element to the map, if one is recorded; `state` as in OutputMap. The texts are used only if
/// the element is not right.
void AddCell(Comparison& comparison, char state, const std::string& expected, const std::string& actual);

/// "5 of 9 elements of P are wrong, the first is P[0][2]"; of a comparison with a wrong element.
Message DescribeWrong(const Comparison& comparison, const std::string& array);

}  // namespace warplings
