// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/core/class_grades.h"
#include "grader/core/exercise_result.h"

namespace warplings {

/// A message in the reader's language, made safe to print. Amounts have thousands separators. Words that are
/// no data, a fixed text of a report or those of a result that an older version stored, are looked up as they
/// are.
std::string PrintableWords(const Message& message);

/// A message in English in every language, with thousands separators: for what other programs show to people.
std::string GroupedEnglish(const Message& message);

/// The title of a test, used wherever the test is named; its name if it has none.
Message NamedTitleOf(const TestResult& test);
/// The same in words.
std::string TitleOf(const TestResult& test);

/// True if every compared value is right, so that what failed is another requirement, such as a count.
bool ValuesAreRight(const ExerciseResult& result);
/// The same of a failed test, if it compared any.
bool MissesARequirement(const TestResult& test);

/// Why an answer that passed is right only by luck: "`sum` is used before it is set (line 12)". Empty if
/// nothing says so, and of an answer that has not passed.
Message LuckOf(const ExerciseResult& result);

/// The same behind the verdict: ", but only by luck: …"; empty if there is nothing to say.
std::string WordsOfLuck(const ExerciseResult& result);

/// The verdict in English: "wrong result", "all values are right, but another requirement is not met".
std::string VerdictWords(const ExerciseResult& result);
/// The same of a test.
std::string VerdictWords(const TestResult& test);

/// Why the file counts nothing whatever its code is, in English: it cannot be graded, or was refused before
/// it was compiled, because it is empty, too large or not UTF-8 text. Empty for other files.
std::string WhyUnread(const ClassGrades& grades, const GradeCell& cell);

/// "10", "2.5".
std::string PointsText(double points);

}  // namespace warplings
