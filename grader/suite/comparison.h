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

/// What an output holds before the call: a quiet NaN that no computation gives, so that an element that
/// nobody writes is told from one that became NaN. As an integer it is no plausible value either.
inline constexpr std::uint32_t kPoison = 0x7fd5c0deu;

bool IsPoison(float value);

/// `!(difference <= bound)`, so that NaN is wrong.
bool IsWrong(float actual, double expected, double bound);

struct Comparison {
  std::uint64_t wrong_count = 0, element_count = 0;
  std::vector<WrongElement> wrong;  ///< The first kMaxListed of them.
  std::optional<OutputMap> map;     ///< Where they are kept.
  static constexpr std::size_t kMaxListed = 8;
};

/// Whether comparisons keep a map of the output, and explanations every formula: where a profile is to be
/// drawn. Of this process, from here on.
void KeepOutputMaps(bool keep);
bool KeepsOutputMaps();

/// Element by element; `where` names an element by its index ("P[2][1]"). The spans are equally long.
Comparison CompareFloats(std::span<const float> actual, std::span<const double> expected,
                         std::span<const double> bound, const std::function<std::string(std::size_t)>& where);

/// Adds the next element to the map, if one is kept; `state` as in OutputMap. The texts count where it is not
/// right.
void AddCell(Comparison& comparison, char state, const std::string& expected, const std::string& actual);

/// "5 of 9 elements of P are wrong, the first is P[0][2]".
std::string DescribeWrong(const Comparison& comparison, const std::string& array);

}  // namespace warplings
