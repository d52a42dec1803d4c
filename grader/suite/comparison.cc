// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "grader/messages/judging.h"

namespace warplings {
namespace {

/// Formats a value with as few digits as a reader needs: 30, 0.1253.
std::string Number(double value, int digits) {
  if (std::isnan(value)) return "nan";  // Its sign means nothing.
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

bool keeps_output_maps = false;
std::uint32_t poison = 0x7fd5c0deu;

char StateOf(float actual, bool is_wrong) {
  if (!is_wrong) return '.';
  if (IsPoison(actual)) return '-';
  return std::isnan(actual) ? 'n' : 'w';
}

Message Note(float actual, double expected, double bound) {
  if (IsPoison(actual)) return say::never_written();
  if (std::isnan(actual)) return say::not_a_number();
  if (std::isinf(actual)) return say::infinite();
  if (!std::isfinite(expected)) return say::finite();
  const std::string off = Number(std::fabs(actual - expected), 3);
  // Without a bound nothing is rounded: values are moved, or small integers.
  return bound == 0 ? say::off_by(off) : say::off_by_more_than_rounding(off, Number(bound, 2));
}

}  // namespace

std::uint32_t Poison() {
  return poison;
}

void SetPoison(std::uint32_t value) {
  poison = value;
}

bool IsPoison(float value) {
  return std::bit_cast<std::uint32_t>(value) == poison;
}

bool IsPoisonInt(int value) {
  return std::bit_cast<std::uint32_t>(value) == poison;
}

bool IsPoisonElement(std::span<const std::byte> output, std::size_t element_bytes, std::size_t i) {
  for (std::size_t at = i * element_bytes; at < (i + 1) * element_bytes; ++at) {
    if (output[at] != static_cast<std::byte>(poison >> (8 * (at % sizeof poison)))) return false;
  }
  return true;
}

bool IsWrong(float actual, double expected, double bound) {
  const double value = actual;
  if (!std::isfinite(expected)) return value != expected && !(std::isnan(value) && std::isnan(expected));
  return !(std::fabs(value - expected) <= bound);
}

Comparison CompareFloats(std::span<const float> actual, std::span<const double> expected,
                         std::span<const double> bound, const std::function<Message(std::size_t)>& where,
                         std::size_t columns) {
  Comparison result;
  result.element_count = actual.size();
  if (keeps_output_maps) result.map.emplace().columns = std::min(columns, OutputMap::kMaximumCells);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool is_wrong = IsWrong(actual[i], expected[i], bound[i]);
    if (keeps_output_maps) {
      AddCell(result, StateOf(actual[i], is_wrong), Number(expected[i], 7),
              IsPoison(actual[i]) ? English(say::holds_nothing()) : Number(actual[i], 7));
    }
    if (!is_wrong) continue;
    if (result.wrong_count++ >= Comparison::kMaxListed) continue;
    WrongElement& wrong = result.wrong.emplace_back();
    wrong.where = where(i);
    wrong.expected = Number(expected[i], 7);
    wrong.actual = IsPoison(actual[i]) ? say::holds_nothing() : Message(Number(actual[i], 7));
    wrong.note = Note(actual[i], expected[i], bound[i]);
  }
  return result;
}

Comparison CompareInts(std::span<const int> actual, std::span<const int> expected,
                       const std::function<Message(std::size_t)>& where, std::size_t columns) {
  return CompareWholeNumbers<int>(actual, expected, where, columns);
}

Comparison CompareWholeNumbersInWords(const WholeNumbers& numbers,
                                      const std::function<Message(std::size_t)>& where, std::size_t columns,
                                      Differences differences) {
  Comparison result;
  result.element_count = numbers.count;
  if (keeps_output_maps) result.map.emplace().columns = std::min(columns, OutputMap::kMaximumCells);
  for (std::size_t i = 0; i < numbers.count; ++i) {
    const bool is_wrong = numbers.is_wrong(i);
    if (!is_wrong && !result.map) continue;
    const bool is_unwritten = is_wrong && numbers.is_unwritten(i);
    const std::string right = numbers.expected(i), found = numbers.actual(i);
    AddCell(result,
            !is_wrong      ? '.'
            : is_unwritten ? '-'
                           : 'w',
            right, is_unwritten ? English(say::holds_nothing()) : found);
    if (!is_wrong || result.wrong_count++ >= Comparison::kMaxListed) continue;
    WrongElement& wrong = result.wrong.emplace_back();
    wrong.where = where(i);
    wrong.expected = right;
    wrong.actual = is_unwritten ? say::holds_nothing() : Message(found);
    if (is_unwritten) {
      wrong.note = say::never_written();
    } else if (differences == Differences::kShown) {
      wrong.note = say::off_by(numbers.difference(i));
    }
  }
  return result;
}

Comparison CompareMemberValues(const MemberValues& values,
                               const std::function<std::string(std::size_t)>& where, std::size_t columns) {
  Comparison result;
  result.element_count = values.count;
  if (keeps_output_maps) result.map.emplace().columns = std::min(columns, OutputMap::kMaximumCells);
  for (std::size_t i = 0; i < values.count; ++i) {
    std::vector<std::size_t> wrong_members;
    std::string right, found;
    for (std::size_t m = 0; m < values.names.size(); ++m) {
      const std::int64_t expected = values.expected(i, m), actual = values.actual(i, m);
      if (actual != expected) wrong_members.push_back(m);
      right += (m == 0 ? "" : ", ") + values.names[m] + " = " + std::to_string(expected);
      found += (m == 0 ? "" : ", ") + values.names[m] + " = " + std::to_string(actual);
    }
    const bool is_unwritten = values.is_unwritten(i);
    AddCell(result,
            wrong_members.empty() ? '.'
            : is_unwritten        ? '-'
                                  : 'w',
            right, is_unwritten ? English(say::holds_nothing()) : found);
    if (wrong_members.empty() || result.wrong_count++ >= Comparison::kMaxListed) continue;
    WrongElement& wrong = result.wrong.emplace_back();
    if (is_unwritten) {
      wrong.where = where(i);
      wrong.expected = right;
      wrong.actual = say::holds_nothing();
      wrong.note = say::never_written();
      continue;
    }
    const std::size_t m = wrong_members.front();
    const std::int64_t expected = values.expected(i, m), actual = values.actual(i, m);
    wrong.where = where(i) + "." + values.names[m];
    wrong.expected = std::to_string(expected);
    wrong.actual = std::to_string(actual);
    const auto off = static_cast<std::uint64_t>(actual) - static_cast<std::uint64_t>(expected);
    wrong.note = say::off_by(std::to_string(actual > expected ? off : 0 - off));
  }
  return result;
}

void KeepOutputMaps(bool keep) {
  keeps_output_maps = keep;
}

bool KeepsOutputMaps() {
  return keeps_output_maps;
}

void AddCell(Comparison& comparison, char state, const std::string& expected, const std::string& actual) {
  if (!keeps_output_maps) return;
  if (!comparison.map) comparison.map.emplace();
  OutputMap& map = *comparison.map;
  ++map.elements;
  if (map.states.size() >= OutputMap::kMaximumCells) return;
  map.states += state;
  if (state == '.') return;
  map.expected.push_back(expected);
  map.actual.push_back(actual);
}

Message DescribeWrong(const Comparison& comparison, const std::string& array) {
  const say::Count elements(comparison.element_count, "element");
  const Message& first = comparison.wrong.front().where;
  if (comparison.element_count == 1) return say::the_only_one_is_wrong(first);
  if (comparison.wrong_count == comparison.element_count) return say::all_are_wrong(elements, array, first);
  return comparison.wrong_count == 1 ? say::one_is_wrong(elements, array, first)
                                     : say::some_are_wrong(comparison.wrong_count, elements, array, first);
}

}  // namespace warplings
