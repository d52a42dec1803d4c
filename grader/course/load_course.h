// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/course/course_file.h"
#include "grader/course/roster.h"

namespace warplings {

/// A course with the files that it refers to.
struct LoadedCourse {
  std::filesystem::path file;
  std::string text;  ///< Text of the file.
  Course course;
  std::optional<Roster> roster;
  std::filesystem::path roster_file;  ///< Empty without one.
};

/// Reads a course.toml and its roster. If there is a roster, an extension for somebody who is not in it is a
/// usage error.
Result<LoadedCourse> LoadCourse(const std::filesystem::path& file);

/// A commented course.toml to start from; it is valid as it is.
std::string CourseTemplate();

}  // namespace warplings
