// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/class_grades.h"

/// Who a student is. Names in a graded class only differ: of two students called Max Müller the second is
/// "Max Müller (2)", and whose number that is may change with the roster.
namespace warplings {

/// What decisions about a student are kept under: "id 103", else "login ada", "email a@b.org" or "lms 17",
/// else "name Ada Lovelace".
std::string StudentKey(const std::string& name, const RosterFields& roster);
std::string StudentKey(const StudentGrades& student);

/// "Max Müller" for "Max Müller (2)"; other names as they are.
std::string NameWithoutNumber(const std::string& name);

/// True if another student of the class is called the same.
bool SharesName(const ClassGrades& grades, const StudentGrades& student);

/// The login, else the id, the e-mail address or the number in the LMS; "" without a roster.
std::string AccountOf(const RosterFields& roster);

/// "Smith, John <jsmith1>", or the name alone where the roster has no more.
std::string NameAndLogin(const StudentGrades& student);

/// NameAndLogin() of a name that two share, else the name.
std::string DistinctName(const ClassGrades& grades, const StudentGrades& student);

/// The same for a student known by name and key, who may have left the class since.
std::string DistinctName(const ClassGrades& grades, const std::string& name, const std::string& key);

/// What tells whether an entry of one grading is the same person as one of another.
struct KnownStudent {
  std::string name;
  std::string entry;  ///< What was handed in, of somebody who is nobody's of the roster; else empty.
  RosterFields roster;
};

/// For each of `before` its number in `after`: the one with the same id, else login, e-mail address or number
/// in the LMS. Somebody without any of these is found by the entry, or by the name if nobody else has that.
std::vector<std::optional<std::size_t>> FindAgain(const std::vector<KnownStudent>& before,
                                                  const std::vector<KnownStudent>& after);

}  // namespace warplings
