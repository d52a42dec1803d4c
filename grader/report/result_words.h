// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/core/exercise_result.h"

namespace warplings {

/// A suite's sentence, made safe to print and with thousands separators: "4096" becomes "4,096". Places in a
/// file ("line 1024", "a.cu:1024"), indices and fractions stay unchanged.
std::string Prose(std::string_view text);
inline std::string Prose(const std::string& text) {
  return Prose(std::string_view(text));
}
inline std::string Prose(const char* text) {
  return Prose(std::string_view(text));
}

/// A message in the reader's language, made safe to print. Amounts have thousands separators.
std::string Prose(const Message& message);

/// The title of a test, used wherever the test is named.
std::string TitleOf(const TestResult& test);

/// True if every compared value is right, so that what failed is another requirement, such as a count.
bool ValuesAreRight(const ExerciseResult& result);

/// The verdict in words: "wrong result", "every value is right; another requirement is not met".
std::string VerdictWords(const ExerciseResult& result);

/// "10", "2.5".
std::string PointsText(double points);

}  // namespace warplings
