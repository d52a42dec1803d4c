// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/course/course.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// Reads a course.toml (docs/course.md). `name` stands in front of messages, which say line, key and what is
/// allowed. Names of exercises are not looked at: that takes a workbook.
Result<Course> ParseCourse(std::string_view text, const std::string& name);

/// The assignment of that id; a usage error that lists them otherwise.
Result<const Assignment*> FindAssignment(const Course& course, const std::string& id);

/// An exercise of an assignment, as it counts there.
struct AssignedExercise {
  const Exercise* exercise = nullptr;
  double max_points = 0;
  ScoringRule scoring;
};

/// The assignment's exercises in the workbook's order, each once, with points that add up to the
/// assignment's in hundredths. An unknown name is a usage error that names the line of `file`.
Result<std::vector<AssignedExercise>> ResolveAssignment(const Assignment& assignment,
                                                        const Workbook& workbook, const std::string& file);

}  // namespace warplings
