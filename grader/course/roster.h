// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/message.h"
#include "grader/base/result.h"
#include "grader/core/class_grades.h"
#include "grader/course/course.h"

namespace warplings {

struct RosterStudent {
  std::string name;
  RosterFields fields;
  int line = 0;
};

/// A column of a roster that is not read and whose name is close to one that is.
struct MisnamedColumn {
  std::string found, meant;
};

/// A student's row that ends before the header does.
struct CutRow {
  int line = 0;
  std::string name;
  std::size_t fields = 0, columns = 0;
};

/// All students of the course.
struct Roster {
  std::vector<RosterStudent> students;
  std::vector<std::string> ignored;        ///< Names of the columns that were not recognised.
  std::vector<MisnamedColumn> misnamed{};  ///< Those of them that may be meant for one that is missing.
  std::vector<std::string> teachers{};     ///< "Ida Bell (Instructor)": left out by the column Role.
  /// What the columns that were recognised say: of "name", "id", "Canvas ID", "login", "email", "section", in
  /// this order.
  std::vector<std::string> fields{};
  std::vector<CutRow> cut{};
  std::vector<CutRow>
      nameless{};  ///< Whole rows without a name, where others have one; `name` is what is left.
  bool has_first_names_only = false, has_last_names_only = false;  ///< Beside no column of whole names.

  /// True if it was read from a file without a column for this field.
  bool Lacks(std::string_view field) const;
};

/// Something in a roster that is allowed and probably not meant.
struct RosterDoubt {
  Message what, advice;
};

/// Of `name`, the roster's file: first names without last names, or the other way round.
std::optional<RosterDoubt> DoubtAboutNames(const Roster& roster, const std::string& name);

/// The same, and more: no names, rows that are cut short, students of one name whom nothing else
/// tells apart.
std::vector<RosterDoubt> DoubtsAbout(const Roster& roster, const std::string& name);

/// Reads a CSV file with a header line, as Canvas, Moodle, Gradescope or a spreadsheet writes it: commas,
/// semicolons or tabs, quotes, a BOM, any line ends. Columns are recognised by name, ignoring case
/// (docs/course.md lists them); others are ignored. Two students with the same id, login or e-mail address
/// are a usage error.
Result<Roster> ParseRoster(std::string_view text, const std::string& name);

/// What is known about the owner of an entry in a class's folder. Each field may be empty.
struct Identity {
  std::string entry;  ///< The entry's file name, which may be the student's name, id, login or e-mail.
  std::string name{}, id{}, login{}, email{};
  std::string lms_id{};  ///< As RosterFields::lms_id: the account's number, which is no student's id.
};

struct RosterMatch {
  std::optional<std::size_t> student;  ///< Index in Roster::students.
  bool by_name = false;                ///< Found by the name alone …
  bool without_accents = false;        ///< … and that differs in its accents.
  std::string problem;                 ///< Why there is none; ends a sentence: "is not in the roster".
  bool fits_several{};                 ///< There is none because more than one fits.
};

/// RosterMatch::problem of somebody who fits no student.
inline constexpr const char* kNotInRoster = "is not in the roster";

/// Compares field by field in the order of `fields`; the first field that exactly one student matches
/// decides. A name that only differs in accents fits if it is nobody else's, with accents or without.
RosterMatch MatchStudent(const Roster& roster, const Identity& identity,
                         const std::vector<MatchField>& fields);

/// True if `word` is this name, last words first or not ("Ada Lovelace" is "Lovelace, Ada"), with its
/// accents. In a graded class the second of two students of one name is "Lovelace, Ada (2)": "Ada Lovelace"
/// may be either, and "Ada Lovelace (2)" is only the second.
bool HasName(const std::string& word, const std::string& name);

/// True if `word`, in course.toml or of `override`, refers to this student: it is the id, login or e-mail
/// address, the account's number, or HasName().
bool IsCalled(const std::string& word, const std::string& name, const RosterFields& fields);

/// What may be meant by `word`, which is no student's, if it is misspelt: the name, id and login, and the
/// e-mail address only if `word` is one, as an address begins with most logins.
std::vector<std::string> NamesLike(const std::string& word, const std::string& name,
                                   const RosterFields& fields);

/// A usage error if an extension is for somebody who is not in the roster, or for a name that two there
/// share.
Status CheckExtensions(const Course& course, const Roster& roster, const std::string& file);

}  // namespace warplings
