// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "grader/base/result.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// A command line of `grade` without --course, or without --worksheet.
struct GradedWithoutCourse {
  std::filesystem::path folder, out;
};

/// A usage error if OUT was graded by a course before: without it, due dates, points and roster would be
/// gone.
Status CheckFormerCourse(const GradedScope& former, const GradedWithoutCourse& asked);

/// A usage error if OUT was graded with a worksheet before: without it, all times of handing in would be
/// gone.
Status CheckFormerWorksheet(const GradedScope& former, const GradedWithoutCourse& asked);

/// A usage error for a new OUT if a course file is in the class's folder or one of those above it, or if a
/// folder beside OUT was graded by a course. It names the command with that course.
Status CheckCourseNearby(const GradedWithoutCourse& asked);

}  // namespace warplings
