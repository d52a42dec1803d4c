// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// What a student has for one exercise, as a comparison shows it.
struct GradeState {
  std::string verdict;  ///< "passed", "wrong result", "missing"; "not asked for" where it is no part.
  std::optional<double> points;  ///< Final; nothing where it is not graded.
  double automatic = 0;

  bool operator==(const GradeState&) const = default;
};

/// A grade that differs between two gradings of a class.
struct CellChange {
  std::string exercise;  ///< "01_first/scale"
  GradeState before, after;
  std::vector<std::string> reasons;  ///< Of the new points' deductions and decisions, where they are others.
};

struct StudentChange {
  enum class Kind { kChanged, kNew, kGone };
  std::string name;
  Kind kind = Kind::kChanged;
  std::optional<double> before, after;  ///< Points of all exercises; nothing where they are not final.
  std::vector<CellChange> cells;        ///< Those that differ; of somebody new or gone none.
};

/// What differs between two gradings of a class. Students are the same where their names are.
struct ClassChange {
  std::vector<StudentChange> students;  ///< Those of whom something differs.
  std::size_t students_before = 0, students_after = 0;
  double points_before = 0, points_after = 0;  ///< Of everybody together.
  double max_before = 0, max_after = 0;        ///< What one student can have.

  bool any() const { return !students.empty() || max_before != max_after; }
};

ClassChange CompareGrades(const ClassGrades& before, const ClassGrades& after);

/// For a terminal: a line for each grade that differs, below its student, then the sums.
std::string ClassChangeText(const ClassChange& change);

}  // namespace warplings
