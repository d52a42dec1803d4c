// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/layout.h"

namespace warplings {

/// The paths that `warplings grade` writes below --out.
struct GradeOutputs {
  static constexpr const char* kCsv = "grades.csv";
  static constexpr const char* kGradescope = "gradescope";

  std::filesystem::path folder;
  std::filesystem::path Gradebook() const { return folder / "gradebook.sqlite"; }
  std::filesystem::path Csv() const { return folder / kCsv; }
  std::filesystem::path Gradescope() const { return folder / kGradescope; }
  std::filesystem::path Report() const { return folder / "report"; }
  std::filesystem::path Slices() const { return folder / "slices"; }
};

/// Writes grades.csv, gradescope/STUDENT/results.json for each student whose exercises are all graded,
/// junit/STUDENT.xml, and report/. Removes files of students who are gone or no longer completely graded.
/// Writes everything that it can before it returns the first error.
Status WriteGradeOutputs(const ClassGrades& grades, const GradeOutputs& outputs, const Layout& layout);

}  // namespace warplings
