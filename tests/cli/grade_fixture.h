// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {

/// Makes submissions and grades them.
class GradeFixture : public CliFixture {
 protected:
  std::filesystem::path ClassFolder() const { return scratch() / "class"; }
  std::filesystem::path Out(const std::string& name = "out") const { return scratch() / name; }

  /// `file` is below the class's folder: "ada/tiled_matmul.cu".
  void HandIn(const std::filesystem::path& file, const std::string& text) const {
    WriteText(ClassFolder() / file, text);
  }
  std::string Solution(const std::string& exercise) const {
    return ReadText(layout_.root / "solutions" / (exercise + ".cu"));
  }
  std::string Mutant(const std::string& name) const {
    return ReadText(layout_.root / "tests" / "mutants" / (name + ".cu"));
  }

  ProgramRun Grade(const std::vector<std::string>& more = {}, ProgramOptions options = {}) const;

  /// grades.csv as Python's CSV reader parses it, with the protecting apostrophes removed: {student: {column:
  /// text}}.
  std::map<std::string, std::map<std::string, std::string>> ReadCsv() const;

  /// The part of a gradebook that must be equal in two gradings of one class: every grade, and every report
  /// without its times.
  static nlohmann::json GradebookContents(const std::filesystem::path& out);
};

}  // namespace warplings::cli_test
