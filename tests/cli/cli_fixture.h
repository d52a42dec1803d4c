// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "tests/cli/run_program.h"

namespace warplings::cli_test {

/// One `check` with its JSON read back.
struct CheckRun {
  ProgramRun program;
  std::vector<ExerciseResult> results;

  /// The only result; a failed assertion and an empty one where there is not exactly one.
  const ExerciseResult& Only() const;
};

/// Runs the built command line in an environment of its own: progress, caches and temporary files go to a
/// scratch folder, never to the developer's.
class CliFixture : public testing::Test {
 protected:
  ProgramRun Run(const std::vector<std::string>& arguments, ProgramOptions options = {}) const;
  CheckRun Check(std::vector<std::string> arguments, ProgramOptions options = {}) const;

  /// Why nothing can be tested on a card here; empty: it can.
  std::string WhyNoCard() const;
  /// Shows the card to the program, which is otherwise run as on a machine without one.
  static ProgramOptions OnACard() { return {.environment = {{"CUDA_VISIBLE_DEVICES", "0"}}}; }

  /// A copy of the workbook's chapters that a test may damage.
  std::filesystem::path CopyWorkbook() const;

  std::filesystem::path scratch() const { return scratch_.path(); }
  const Layout layout_ = ThisLayout();

 private:
  ScratchFolder scratch_;
};

/// Names of the tests that did not pass.
std::vector<std::string> FailedTests(const ExerciseResult& result);
/// Ids of the misconceptions that were recognised.
std::vector<std::string> MisconceptionIds(const ExerciseResult& result);
/// "a, b", or "-" for none.
std::string Joined(const std::vector<std::string>& words);

}  // namespace warplings::cli_test
