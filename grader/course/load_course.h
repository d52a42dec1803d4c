// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/course/course_file.h"
#include "grader/course/roster.h"

namespace warplings {

/// A course with what its file names.
struct LoadedCourse {
  std::filesystem::path file;
  std::string text;  ///< Of the file.
  Course course;
  std::optional<Roster> roster;
  std::filesystem::path roster_file;  ///< Empty without one.
};

/// Reads a course.toml and its roster. Extensions are those of students of the roster, where there is one.
Result<LoadedCourse> LoadCourse(const std::filesystem::path& file);

/// A course.toml with comments, to begin with; it is right as it stands.
std::string CourseTemplate();

}  // namespace warplings
