// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/core/exercise_result.h"

namespace warplings {

/// A sentence of a suite's made safe to print, its large whole numbers in the format of all others: "4096"
/// becomes "4,096". Places in a file ("line 1024", "a.cu:1024"), indices and fractions stay as they are.
std::string Prose(std::string_view text);

/// The one title of a test, wherever it is named.
std::string TitleOf(const TestResult& test);

/// Every value that was compared is right, and what failed is something else that is asked for: a count, say.
bool ValuesAreRight(const ExerciseResult& result);

/// What became of the exercise, in words: "wrong result", "every value is right; another requirement is not
/// met".
std::string VerdictWords(const ExerciseResult& result);

/// "10", "2.5".
std::string PointsText(double points);

}  // namespace warplings
