// SPDX-License-Identifier: Apache-2.0
#include "grader/course/load_course.h"

#include <cerrno>
#include <cstring>

#include "grader/base/read_file.h"
#include "grader/base/replace.h"
#include "grader/core/layout.h"
#include "grader/messages/course.h"

namespace warplings {
namespace {

constexpr const char* kTemplate =
    R"(# A course of Warplings: what is asked for, by when, and how it is graded.
# `warplings course check course.toml` says whether this file is right;
# {docs} describes every key.
# What stands behind a # is a comment: take the # away to use it.

[course]
title = "Programming GPUs"
term = "Autumn 2026"
time_zone = "UTC"               # A name such as "Europe/Berlin": due dates below are meant there.
# roster = "roster.csv"         # Beside this file, with columns name, id, login, email, section.
# match = ["id", "login", "email", "name"]   # How a submission finds its student, in this order.
# times = "files"               # Where the LMS says no time, take the file's own. Otherwise it is in time.

# [grading]
# device = "virtual:a100"       # As `warplings grade --device`.
# seed = 7                      # As `warplings grade --seed`.

[late]                          # For every assignment that has no rule of its own.
grace_minutes = 15              # Nothing is lost so shortly after the due date.
percent_per_day = 10            # Of the points earned, for each day of 24 hours begun after the due date.
cap_percent = 50                # No more than that is lost …
closed_after_days = 7           # … until here; what comes later earns nothing.
# late_days = 5                 # Free late days of each student, for all assignments together.

[[assignment]]
id = "week1"                    # warplings grade submissions/ --course course.toml --assignment week1 --out graded/week1
title = "Week 1: boundary checks"
what = ["1"]                    # Chapters and exercises, as on the command line.
due = 2026-10-08T23:59:00       # Or a date alone: to the end of that day.
scoring = "per_test"            # Tests that the starter passes earn nothing. Or "all_or_nothing", "rubric", "chapter" (the workbook's).
attempts = "last"               # Or "best", "first".
# max_attempts = 3
# points = 10                   # Of the whole assignment; otherwise what its exercises are worth.
# speed_percent = 20            # How much of the points speed decides about, on a GPU, where speed is graded.

# [[assignment.exercise]]       # What is different for one exercise.
# name = "tiled_matmul"
# points = 20
# scoring = "rubric"
#   [[assignment.exercise.group]]
#   title = "Right values"
#   points = 3
#   tests = ["TiledMatmul.*"]   # Names of tests; * stands for any letters.

# [[assignment.extension]]      # One student's own due date.
# student = "ada"               # Name, id, login or e-mail address.
# days = 2                      # Or: due = 2026-10-12T12:00:00, or: no_deduction = true
# reason = "ill"

[[assignment]]
id = "week2"
title = "Week 2: rectangular matrices"
what = ["2"]
due = 2026-10-15T23:59:00
)";

Result<std::string> ReadWhole(const std::filesystem::path& file) {
  std::error_code error;
  auto text = std::filesystem::is_regular_file(file, error) ? ReadFile(file) : std::nullopt;
  if (!text) {
    return UsageError(std::filesystem::exists(file, error) ? say::cannot_read_no_file(file.string())
                                                           : say::cannot_read_not_there(file.string()));
  }
  return *std::move(text);
}

}  // namespace

Result<LoadedCourse> LoadCourse(const std::filesystem::path& file) {
  auto text = ReadWhole(file);
  if (!text) {
    Error error = text.error();
    error.next_step = say::course_init_writes_one();
    return error;
  }
  auto course = ParseCourse(*text, file.string());
  if (!course) return course.error();
  LoadedCourse loaded{file, std::move(*text), std::move(*course), std::nullopt, {}};
  if (loaded.course.roster_file.empty()) return loaded;
  loaded.roster_file = file.parent_path() / loaded.course.roster_file;
  const auto rows = ReadWhole(loaded.roster_file);
  if (!rows) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(loaded.roster_file, error);
    return UsageError(say::of_courses_roster(file.string(), rows.error().message),
                      is_there ? say::name_readable_roster() : say::where_roster_is());
  }
  auto roster = ParseRoster(*rows, loaded.roster_file.string());
  if (!roster) return roster.error();
  loaded.roster = std::move(*roster);
  if (const Status known = CheckExtensions(loaded.course, *loaded.roster, file.string()); !known)
    return known.error();
  return loaded;
}

std::string CourseTemplate() {
  return ReplaceAll(kTemplate, "{docs}", ThisLayout().CourseDocumentation().string());
}

}  // namespace warplings
