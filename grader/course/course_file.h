// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/course/course.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// Reads a course.toml (docs/course.md). `name` is the prefix of error messages, which state line, key and
/// what is allowed. Names of exercises are not checked, because that requires a workbook.
Result<Course> ParseCourse(std::string_view text, const std::string& name);

/// Due dates most of a year away from those of the course's other assignments, and extensions as far from
/// their assignment's: somebody may have written another year than was meant. An assignment that is due
/// before the one above it: another day or month, or free late days are used in another order than was meant.
/// The first or the last far from the others: another month. One without a date where others have one.
std::vector<Message> DoubtsAboutDue(const Course& course);

/// Assignments that ask for the same as one above: somebody may have copied it and not changed `what`.
std::vector<Message> DoubtsAboutWhat(const Course& course);

/// Percentages below 1: somebody may have written 0.1 for 10 %.
std::vector<Message> DoubtsAboutPercentages(const Course& course);

/// What is odd about an assignment's extensions: one that ends before everybody's due date takes time away.
std::vector<Message> DoubtsAboutExtensions(const Assignment& assignment, const std::string& time_zone);

/// The assignment with that id; otherwise a usage error that lists all ids.
Result<const Assignment*> FindAssignment(const Course& course, const std::string& id);

/// An exercise with its points and rules in an assignment.
struct AssignedExercise {
  const Exercise* exercise = nullptr;
  double max_points = 0;
  ScoringRule scoring;
  std::string course_file{};  ///< Of which the rule is, for messages.
};

/// The assignment's exercises in the workbook's order, each once. Their points are multiples of 0.01 that add
/// up to the assignment's total. An unknown name is a usage error that names the line of `file`.
Result<std::vector<AssignedExercise>> ResolveAssignment(const Assignment& assignment,
                                                        const Workbook& workbook, const std::string& file);

}  // namespace warplings
