// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// How often something happened to one exercise in one term.
struct TermRates {
  enum class Kind { kExercise, kTest, kMisconception };
  std::string term, exercise;  ///< "2026-autumn", "01_first/scale"
  Kind kind = Kind::kExercise;
  std::string name;        ///< Of the test or misconception; empty for the exercise.
  std::size_t count = 0;   ///< Students who passed it, or met it …
  std::size_t graded = 0;  ///< … of so many whose file was graded.
};

/// Adds those of a class. What nobody's file was graded for has no rates.
void AddTermRates(const std::string& term, const ClassGrades& grades, std::vector<TermRates>& rates);

/// A table for each exercise: a column for each term, in percent of the students graded.
std::string StatisticsText(const std::vector<std::string>& terms, const std::vector<TermRates>& rates);

/// A line for each figure: Term, Exercise, Kind, Name, Count, Graded, Percent.
std::string StatisticsCsv(const std::vector<TermRates>& rates);

}  // namespace warplings
