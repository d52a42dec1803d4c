// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "tests/cli/run_program.h"
#include "tests/support/drawn.h"

namespace warplings::cli_test {

/// One run of `check`, with its parsed JSON output.
struct CheckRun {
  ProgramRun program;
  std::vector<ExerciseResult> results;

  /// The only result. If there is not exactly one, an assertion fails and the result is empty.
  const ExerciseResult& Only() const;
};

/// Runs the built command line in an isolated environment: progress, caches and temporary files go to a
/// scratch folder, never to the developer's own.
class CliFixture : public testing::Test {
 protected:
  ProgramRun Run(const std::vector<std::string>& arguments, ProgramOptions options = {}) const;
  CheckRun Check(std::vector<std::string> arguments, ProgramOptions options = {}) const;

  /// Why tests on a card are impossible here; empty if they are possible.
  std::string WhyNoCard() const;
  /// Makes the card visible to the program, which otherwise runs as on a machine without a card.
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
/// Takes the times out of a result: they are the one thing that no two runs share.
void DropTimes(nlohmann::json& value);

}  // namespace warplings::cli_test
