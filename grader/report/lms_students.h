// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"

namespace warplings {

/// What an identifier is: a number of one kind says nothing about another. Moodle's "Participant 4711" is not
/// the student with the matriculation number 4711.
enum class LmsKey {
  kStudentId,    ///< The university's number: Canvas's "SIS User ID", Moodle's "ID number".
  kLmsId,        ///< The number of the account: Canvas's "ID".
  kLogin,        ///< Canvas's "SIS Login ID", Moodle's "Username".
  kEmail,        ///< Moodle's "Email address".
  kParticipant,  ///< The number that one assignment of Moodle's gives; its downloads have it in their names.
};

/// The participant's number in what an assignment of Moodle's was downloaded as:
/// "Ada Lovelace_77_assignsubmission_file_". Empty where a name within imitates that.
std::string ParticipantOf(const std::string& handed_in_as);
/// The same, or what Moodle's worksheet says of somebody whose work came from elsewhere.
std::string ParticipantOf(const StudentGrades& student);

/// The entries that are nobody's of the roster and may be the student's, who has handed in nothing and has no
/// points: those that have the student's name, with its accents or without.
std::vector<const StudentGrades*> EntriesThatMayBeOf(const ClassGrades& grades, const StudentGrades& student);

struct LmsIdentifier {
  LmsKey key = LmsKey::kStudentId;
  std::string column;  ///< As the export calls it.
  std::string value;   ///< May be empty.
};

/// A line of an export: whose it is, as the system says it.
struct LmsLine {
  std::vector<LmsIdentifier> identifiers;
  std::vector<std::string> names;  ///< The ways in which the system may write one person's name.
  std::string shown;               ///< How messages call the line.
};

/// Whose line it is.
struct LmsMatch {
  const StudentGrades* student = nullptr;
  std::string problem;                      ///< Why there is no student; ends a sentence.
  std::set<const StudentGrades*> doubtful;  ///< The students that it may be, where that is not clear.
};

/// Finds the students of a class whom the lines of an export mean: by identifiers, each looked up among those
/// of its own kind, else by name. No student is found where two fit, where two columns mean different
/// students, where the name is another student's, or where two lines mean one student: a wrong grade is worse
/// than a missing one.
class LmsStudents {
 public:
  explicit LmsStudents(const ClassGrades& grades);

  /// One match for each line.
  std::vector<LmsMatch> Match(const std::vector<LmsLine>& lines) const;

 private:
  using Found = std::set<const StudentGrades*>;
  struct OneMatch : LmsMatch {
    bool by_name = false;          ///< Only by name …
    bool without_accents = false;  ///< … and that differs in its accents.
  };

  void Add(LmsKey key, const std::string& value, const StudentGrades& student);
  void AddName(const std::string& name, const StudentGrades& student);
  Found Named(const std::vector<std::string>& names) const;
  Found NamedWithoutAccents(const std::vector<std::string>& names) const;
  OneMatch MatchLine(const LmsLine& line) const;
  OneMatch MatchByName(const LmsLine& line) const;

  std::map<LmsKey, std::map<std::string, Found>> by_key_;
  std::map<std::string, Found> by_name_, by_plain_name_;
};

}  // namespace warplings
