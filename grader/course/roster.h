// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/course/course.h"

namespace warplings {

struct RosterStudent {
  std::string name;
  RosterFields fields;
  int line = 0;
};

/// Everybody who takes the course.
struct Roster {
  std::vector<RosterStudent> students;
};

/// Reads a CSV file with a header line, as Canvas, Moodle, Gradescope or a spreadsheet writes it: commas,
/// semicolons or tabs, quotes, a BOM, any line ends. Columns are known by their names in any case
/// (docs/course.md lists them); others are passed over. Two students with one id, login or e-mail address are
/// a usage error.
Result<Roster> ParseRoster(std::string_view text, const std::string& name);

/// What an entry of a class's folder says of whose it is. Each field may be empty.
struct Identity {
  std::string entry;  ///< The entry's name, which may be any of the others.
  std::string name{}, id{}, login{}, email{};
};

struct RosterMatch {
  std::optional<std::size_t> student;  ///< Number in Roster::students.
  std::string problem;                 ///< Why there is none: a sentence's end, "is nobody of the roster".
};

/// Field by field in the order of `fields`: the first that exactly one student fits decides.
RosterMatch MatchStudent(const Roster& roster, const Identity& identity,
                         const std::vector<MatchField>& fields);

/// True where somebody in course.toml means this student by that word: name, id, login or e-mail address.
bool IsCalled(const std::string& word, const std::string& name, const RosterFields& fields);

/// A usage error for an extension of nobody in the roster.
Status CheckExtensions(const Course& course, const Roster& roster, const std::string& file);

/// Letters and digits only, in lower case, in any script: "Lovelace, Ada" and "lovelaceada" are one.
std::string FoldName(std::string_view name);

}  // namespace warplings
