// SPDX-License-Identifier: Apache-2.0
#include "grader/report/result_words.h"

#include <algorithm>
#include <cstdio>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"

namespace warplings {

std::string PrintableWords(const Message& message) {
  return Printable(Words(message));
}

std::string GroupedEnglish(const Message& message) {
  static const Catalogue no_translation;
  return no_translation.Words(message);
}

Message NamedTitleOf(const TestResult& test) {
  return test.title.empty() ? Message(test.name) : test.title;
}

std::string TitleOf(const TestResult& test) {
  return PrintableWords(NamedTitleOf(test));
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

std::string VerdictWords(Verdict verdict) {
  if (verdict == Verdict::kFinding) return "the virtual GPU saw an error";
  std::string words(VerdictName(verdict));
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string VerdictWords(const ExerciseResult& result) {
  if (result.verdict == Verdict::kWrongResult && ValuesAreRight(result)) {
    return "all values are right, but another requirement is not met";
  }
  return VerdictWords(result.verdict);
}

std::string PointsText(double points) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", points);
  return text;
}

}  // namespace warplings
