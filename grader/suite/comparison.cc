// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/comparison.h"

#include <bit>
#include <cmath>
#include <cstdio>

namespace warplings {
namespace {

/// As few digits as tell the value apart at the precision that matters to a reader: 30, 0.1253.
std::string Number(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string Note(float actual, double expected, double bound) {
  if (IsPoison(actual)) return "never written";
  if (std::isnan(actual)) return "not a number";
  if (std::isinf(actual)) return "infinite";
  const std::string off = "off by " + Number(std::fabs(actual - expected), 3);
  // Without a bound nothing is rounded: values are moved, or small integers.
  return bound == 0 ? off : off + ", at most " + Number(bound, 2) + " is rounding";
}

}  // namespace

bool IsPoison(float value) {
  return std::bit_cast<std::uint32_t>(value) == kPoison;
}

bool IsWrong(float actual, double expected, double bound) {
  return !(std::fabs(static_cast<double>(actual) - expected) <= bound);
}

Comparison CompareFloats(std::span<const float> actual, std::span<const double> expected,
                         std::span<const double> bound,
                         const std::function<std::string(std::size_t)>& where) {
  Comparison result;
  result.element_count = actual.size();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!IsWrong(actual[i], expected[i], bound[i])) continue;
    if (result.wrong_count++ >= Comparison::kMaxListed) continue;
    WrongElement& wrong = result.wrong.emplace_back();
    wrong.where = where(i);
    wrong.expected = Number(expected[i], 7);
    wrong.actual = IsPoison(actual[i]) ? "nothing" : Number(actual[i], 7);
    wrong.note = Note(actual[i], expected[i], bound[i]);
  }
  return result;
}

std::string DescribeWrong(const Comparison& comparison, const std::string& array) {
  std::string text =
      std::to_string(comparison.wrong_count) + " of " + std::to_string(comparison.element_count);
  text += comparison.element_count == 1 ? " element of " : " elements of ";
  text += array + (comparison.wrong_count == 1 ? " is wrong" : " are wrong");
  if (!comparison.wrong.empty()) text += ", the first is " + comparison.wrong.front().where;
  return text;
}

}  // namespace warplings
