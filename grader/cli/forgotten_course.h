// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/course.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// What a command line of `grade` says; what it leaves out is empty.
struct TypedGrading {
  std::filesystem::path folder, out, course, worksheet;
  std::string assignment;
  std::vector<std::string> further;  ///< Other options, each a word: "--dry-run", "--seed", "7".
  std::vector<std::string> what{};   ///< Without a course: exercises and chapters.
};

/// The command that grades OUT's class as it was graded before, and so goes on where that ended; "" if the
/// class's folder is not known.
std::string CommandAsBefore(const GradedScope& former, const std::filesystem::path& out);

/// A usage error if OUT was graded by a course before: without it, due dates, points and roster would be
/// gone.
Status CheckFormerCourse(const GradedScope& former, const TypedGrading& typed);

/// A usage error if OUT was graded with a worksheet before: without it, all times of handing in would be
/// gone.
Status CheckFormerWorksheet(const GradedScope& former, const TypedGrading& typed);

/// A usage error if OUT has the grades of another assignment of the course: they would be gone. An id that
/// the course no longer has was renamed, and the assignment is still the same.
Status CheckFormerAssignment(const GradedScope& former, const Course& course, const TypedGrading& typed);

/// Of the entries with files of the graded exercises: how many are a student's, and how many are nobody's of
/// the roster.
struct EntriesByRoster {
  std::size_t of_students = 0, of_nobody = 0;
};

EntriesByRoster CountByRoster(const std::vector<StudentRow>& students,
                              const std::vector<SubmissionRow>& submissions);

/// A usage error if half of the students whom OUT counts, and at least three, would no longer be counted
/// because their entries are nobody's of this roster: it may be another class's, or a damaged one.
Status CheckFormerRoster(const EntriesByRoster& former, const EntriesByRoster& now,
                         const std::filesystem::path& roster, const TypedGrading& typed);

/// A usage error for a new OUT if a course file is in the class's folder or one of those above it, or if a
/// folder beside OUT was graded by a course. It names the command with that course.
Status CheckCourseNearby(const TypedGrading& typed);

}  // namespace warplings
