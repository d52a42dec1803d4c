// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// A student's result for one exercise, as a comparison shows it.
struct GradeState {
  /// In English: "passed", "wrong result", "missing"; "not asked for" if it is not part of the grading.
  std::string verdict;
  std::optional<double> points;  ///< The final points; nothing if it is not graded.
  double automatic = 0;

  bool operator==(const GradeState&) const = default;
};

/// A grade that differs between two gradings of a class.
struct CellChange {
  std::string exercise;  ///< "01_first/scale"
  GradeState before, after;
  /// Reasons of the new grade's deductions and decisions, if they differ from the old ones; and old ones that
  /// are gone.
  std::vector<std::string> reasons;
};

struct StudentChange {
  /// kNobodys: the entry was a student's, and is nobody's of the roster now. kAssigned: the other way round.
  enum class Kind { kChanged, kNew, kGone, kNobodys, kAssigned };
  std::string name;  ///< DistinctName()
  Kind kind = Kind::kChanged;
  std::optional<double> before, after;  ///< Total points; nothing if they are not final.
  std::vector<CellChange> cells;        ///< The cells that differ; of kChanged only.
  std::string former_name{};            ///< If it is another one than `name`.
  std::string unmatched{};              ///< Of kNobodys: why.
  std::string owner{};                  ///< Of kAssigned: whose it is now.
  /// Free late days, if they differ; of kChanged only.
  std::optional<LateDays> days_before{}, days_after{};
};

/// The differences between two gradings of a class. Students are found again as FindAgain() does; a name that
/// two share has the login or id behind it.
struct ClassChange {
  std::vector<StudentChange> students;  ///< Students with at least one difference.
  std::size_t students_before = 0, students_after = 0;
  double points_before = 0, points_after = 0;  ///< Sums over all students.
  double max_before = 0, max_after = 0;        ///< The maximum for one student.

  bool any() const { return !students.empty() || max_before != max_after; }
};

ClassChange CompareGrades(const ClassGrades& before, const ClassGrades& after);

/// For a terminal: for each student one line per grade that differs, and one if the free late days do; then
/// the sums.
std::string ClassChangeText(const ClassChange& change);

}  // namespace warplings
