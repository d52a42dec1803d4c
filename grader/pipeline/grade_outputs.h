// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/core/layout.h"

namespace warplings {

/// Names of what `warplings grade` writes below --out.
struct GradeOutputs {
  std::filesystem::path folder;
  std::filesystem::path Gradebook() const { return folder / "gradebook.sqlite"; }
  std::filesystem::path Csv() const { return folder / "grades.csv"; }
  std::filesystem::path Gradescope() const { return folder / "gradescope"; }
  std::filesystem::path JUnit() const { return folder / "junit"; }
  std::filesystem::path Report() const { return folder / "report"; }
  std::filesystem::path Slices() const { return folder / "slices"; }
};

/// Writes grades.csv, gradescope/STUDENT/results.json for each student who is complete, junit/STUDENT.xml,
/// and report/. Files of students who are gone, or no longer complete, are removed. All that can be written
/// is, before the first fault is returned.
Status WriteGradeOutputs(const ClassGrades& grades, const GradeOutputs& outputs, const Layout& layout);

}  // namespace warplings
