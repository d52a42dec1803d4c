// SPDX-License-Identifier: Apache-2.0
#include "grader/report/lms_number.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "grader/base/text.h"
#include "grader/messages/class.h"

namespace warplings {
namespace {

bool AreDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

/// "1234" of "1,234"; nothing if the groups are no thousands.
std::optional<std::string> WithoutGroups(std::string_view text, char separator) {
  std::string digits;
  for (bool is_first = true;; is_first = false) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view group = text.substr(0, end);
    const bool is_alone = is_first && end == text.size();
    if (!AreDigits(group) || (!is_alone && (is_first ? group.size() > 3 : group.size() != 3)))
      return std::nullopt;
    digits += group;
    if (end == text.size()) return digits;
    text.remove_prefix(end + 1);
  }
}

/// A comma alone before three digits may be either.
bool IsAmbiguous(std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::string_view whole = text.substr(0, comma);
  return comma != text.npos && comma == text.rfind(',') && text.find('.') == text.npos &&
         text.size() - comma == 4 && whole.size() <= 3 && !whole.starts_with('0');
}

/// With a dot for the decimals and no groups.
std::optional<std::string> Plain(std::string_view text) {
  const std::size_t last = text.find_last_of(".,");
  if (last == text.npos) return AreDigits(text) ? std::optional(std::string(text)) : std::nullopt;
  const char decimal = text[last], other = decimal == ',' ? '.' : ',';
  const std::string_view before = text.substr(0, last), after = text.substr(last + 1);
  const bool is_repeated = before.find(decimal) != before.npos;  // "1,234,567"
  if (is_repeated) return before.find(other) == before.npos ? WithoutGroups(text, decimal) : std::nullopt;
  const auto whole = WithoutGroups(before, other);
  if (!whole || !AreDigits(after)) return std::nullopt;
  return *whole + "." + std::string(after);
}

}  // namespace

std::string LmsNumber(double points) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", points);
  std::string number = text;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number == "-0" ? "0" : number;
}

Result<std::optional<double>> ReadLmsNumber(const std::string& text, const std::string& where) {
  const std::string trimmed = Trimmed(text);
  if (trimmed.empty() || trimmed == "-" || trimmed == "(read only)") return std::optional<double>();
  if (IsAmbiguous(trimmed)) {
    return UsageError(say::comma_or_thousands(where, Printable(trimmed)), say::write_without_comma());
  }
  const auto plain = Plain(trimmed);
  double number = 0;
  if (plain) {
    const auto [end, fault] = std::from_chars(plain->data(), plain->data() + plain->size(), number);
    if (fault == std::errc() && end == plain->data() + plain->size()) return std::optional(number);
  }
  return UsageError(say::field_is_no_number(where, Printable(trimmed)), say::export_or_correct());
}

}  // namespace warplings
