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

/// Writes a zip file with a page for each student of whom anything is known, to be given back: without other
/// students, without the seed. A page lies where Moodle takes it as a feedback file if the student's work
/// came from Moodle.
Status WriteFeedback(const ClassGrades& grades, const std::filesystem::path& zip, const Layout& layout);

/// Writes grades.csv, gradescope/STUDENT/results.json for each student whose exercises are all graded,
/// junit/STUDENT.xml, and report/. Removes files of students who are gone or no longer completely graded.
/// Writes everything that it can before it returns the first error.
Status WriteGradeOutputs(const ClassGrades& grades, const GradeOutputs& outputs, const Layout& layout);

}  // namespace warplings
