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

/// A student with the name that an anonymous gradebook uses instead.
struct Pseudonym {
  StudentRow student;
  std::string name;  ///< "student-7kq2-m9xd-41pa"
};

/// Makes pseudonyms from a secret key: with the same key a student always gets the same pseudonym, and
/// without the key nobody can find out whose it is, not even with a list of the students.
///
/// A file that only its owner can read (mode 0600) stores the key and a table of the pseudonyms in use.
class Pseudonyms {
 public:
  /// Opens the file, or creates it with a new key. A file that is something else is a usage error.
  static Result<Pseudonyms> Open(const std::filesystem::path& file);

  /// The table of pseudonyms in the file, which has to be there.
  static Result<std::vector<Pseudonym>> ReadTable(const std::filesystem::path& file);

  /// The pseudonym for `identity`, a text that identifies a student and is the same in all assignments.
  std::string Of(std::string_view identity) const;

  /// Removes everything from `rows` that could identify students: names, ids, file names, texts that quote
  /// them, and the order of the rows.
  std::vector<Pseudonym> Anonymise(ClassRows& rows) const;

  /// Adds these to the table in the file.
  Status Note(const std::vector<Pseudonym>& pseudonyms) const;

 private:
  Pseudonyms(std::filesystem::path file, std::string key) : file_(std::move(file)), key_(std::move(key)) {}

  std::filesystem::path file_;
  std::string key_;
};

/// The pseudonym of the student whom course.toml refers to as `word`: by name, id, login or e-mail address.
std::optional<std::string> FindPseudonym(const std::vector<Pseudonym>& pseudonyms, const std::string& word);

}  // namespace warplings
