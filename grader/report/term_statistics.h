// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// For one exercise in one term: how many students passed it or one of its tests, had a misconception, or
/// handed in a file that does not compile or link, or that was refused for a forbidden call. Such a file is
/// not among those of which a test is counted.
struct TermRates {
  enum class Kind { kExercise, kNotBuilt, kForbidden, kTest, kMisconception };
  std::string term, exercise;  ///< "2026-autumn", "01_first/scale"
  Kind kind = Kind::kExercise;
  std::string name;  ///< Name of the test or misconception; empty for the other kinds. The same in all terms.
  Message title;     ///< What that term called it.
  std::size_t count = 0;   ///< Students who passed, or of whom the rest is so, …
  std::size_t graded = 0;  ///< … out of the students whose file was graded.
};

/// Adds the rates of a class. An exercise without a graded file has none.
void AddTermRates(const std::string& term, const ClassGrades& grades, std::vector<TermRates>& rates);

/// Sorts rates by exercise, in the order of `exercises`, which are the workbook's; those of one exercise, and
/// of exercises that it no longer has, stay in their order.
void SortByExercise(const std::vector<std::string>& exercises, std::vector<TermRates>& rates);

/// A table per exercise with a column per term, in percent of the graded students, in the order of `rates`. A
/// line has the title of the last term that has one. Long titles are broken, so that a line has at most
/// `columns` characters.
std::string StatisticsText(const std::vector<std::string>& terms, const std::vector<TermRates>& rates,
                           std::size_t columns);

/// One line per figure: Term, Exercise, Kind, Name, Count, Graded, Percent, Title.
std::string StatisticsCsv(const std::vector<TermRates>& rates);

}  // namespace warplings
