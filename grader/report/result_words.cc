// SPDX-License-Identifier: Apache-2.0
#include "grader/report/prose.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"

namespace warplings {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool IsPartOfName(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// "RTX " before a number: it is a model's name.
bool EndsWithModel(std::string_view before) {
  if (!before.ends_with(' ')) return false;
  before.remove_suffix(1);
  std::size_t capitals = 0;
  while (capitals < before.size() &&
         std::isupper(static_cast<unsigned char>(before[before.size() - 1 - capitals])) != 0)
    ++capitals;
  return capitals > 1 && (capitals == before.size() || !IsPartOfName(before[before.size() - 1 - capitals]));
}

/// Whether the digits text[begin, end) are a number of things, and not a place, an index or a part of
/// something.
bool IsAmount(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view kPlace = "line ", kPlaceInChinese = "第 ";
  const std::string_view before = text.substr(0, begin);
  if (before.ends_with(kPlace) || before.ends_with(kPlaceInChinese) || EndsWithModel(before)) return false;
  if (!before.empty() &&
      (IsPartOfName(before.back()) || std::string_view(":.,[-").find(before.back()) != before.npos)) {
    return false;
  }
  if (end == text.size()) return true;
  const bool more = end + 1 < text.size() && IsDigit(text[end + 1]);
  return !IsPartOfName(text[end]) && text[end] != ']' && !(more && (text[end] == '.' || text[end] == ','));
}

}  // namespace

std::string Prose(std::string_view raw) {
  constexpr std::size_t kGrouped = 4, kMostDigits = 19;
  const std::string text = Translated(Printable(raw));
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsDigit(text[end])) ++end;
    const std::size_t digits = end - at;
    if (digits >= kGrouped && digits <= kMostDigits && text[at] != '0' && IsAmount(text, at, end)) {
      out += WithThousands(std::stoull(text.substr(at, digits)));
    } else {
      end = std::max(end, at + 1);
      out += text.substr(at, end - at);
    }
    at = end;
  }
  return out;
}

std::string Prose(const Message& message) {
  return message.IsData() ? Printable(Words(message)) : Prose(message.english());
}

std::string TitleOf(const TestResult& test) {
  return Prose(test.title.empty() ? Message(test.name) : test.title);
}

bool ValuesAreRight(const ExerciseResult& result) {
  if (result.verdict == Verdict::kPassed) return true;
  if (result.verdict != Verdict::kWrongResult) return false;
  const auto compared = [](const TestResult& test) { return test.element_count > 0; };
  return std::ranges::any_of(result.tests, compared) &&
         std::ranges::all_of(result.tests, [](const TestResult& test) {
           return test.verdict == Verdict::kPassed ||
                  (test.verdict == Verdict::kWrongResult && test.wrong_count == 0);
         });
}

std::string VerdictWords(const ExerciseResult& result) {
  if (result.verdict == Verdict::kFinding) return "the virtual GPU saw an error";
  if (result.verdict == Verdict::kWrongResult && ValuesAreRight(result)) {
    return "every value is right; another requirement is not met";
  }
  std::string words(VerdictName(result.verdict));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string PointsText(double points) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", points);
  return text;
}

}  // namespace warplings
