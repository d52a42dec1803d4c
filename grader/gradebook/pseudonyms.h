// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// A student, and how an anonymous gradebook calls that student.
struct Pseudonym {
  StudentRow student;
  std::string name;  ///< "student-7kq2-m9xd-41pa"
};

/// Names in place of students' names, computed from a secret key: with the same key the same student always
/// has the same one, and without it nobody can compute whose it is, not even from a list of the students.
///
/// The key is kept in a file of its own, for its owner alone (mode 0600), beside a table of the pseudonyms
/// that were given out.
class Pseudonyms {
 public:
  /// Makes the file, and a key, where there is none. A file that is something else is a usage error.
  static Result<Pseudonyms> Open(const std::filesystem::path& file);

  /// `identity` is what says who somebody is, in all assignments alike.
  std::string Of(std::string_view identity) const;

  /// Leaves nothing in `rows` that says whose something is, also not its order: names, ids, file names, and
  /// texts that quote them.
  std::vector<Pseudonym> Anonymise(ClassRows& rows) const;

  /// Adds to the file's table whose these are.
  Status Note(const std::vector<Pseudonym>& pseudonyms) const;

 private:
  Pseudonyms(std::filesystem::path file, std::string key) : file_(std::move(file)), key_(std::move(key)) {}

  std::filesystem::path file_;
  std::string key_;
};

/// The pseudonym of whom course.toml calls by this word: name, id, login or e-mail address.
std::optional<std::string> FindPseudonym(const std::vector<Pseudonym>& pseudonyms, const std::string& word);

}  // namespace warplings
