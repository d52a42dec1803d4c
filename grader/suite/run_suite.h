// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/fact.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/layout.h"
#include "grader/core/speed_result.h"
#include "grader/core/test_result.h"
#include "grader/suite/suite_messages.h"
#include "grader/workbook/exercise.h"

namespace warplings {

struct SuiteRequest {
  const Exercise* exercise = nullptr;
  WorkerProgram worker;  ///< The worker program that BuildSubmission made.
  std::string device = "virtual:a100";
  std::filesystem::path card_program{};  ///< As in SuiteOrder.
  std::string watcher;                   ///< As in SuiteOrder.
  bool card_decides = false;             ///< As in SuiteOrder.
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = 0;  ///< As in SuiteOrder.
  std::string answers;             ///< Text of the submission's answers file, if the exercise has one.
  bool detailed = false;           ///< As in SuiteOrder.
  SpeedMode speed = SpeedMode::kOff;
  WorkerProgram baseline, reference;  ///< Worker programs, as in SuiteOrder.
  /// GoogleTest name of the only test to run ("TiledMatmul.OneTile"); empty: all.
  std::string test{};
  /// Wall time for the whole suite. Every call of the submission has its own, much shorter limit; this one
  /// only ends a suite that hangs because of a fault of ours.
  std::chrono::seconds time_limit{300};
  /// Told once of each test that takes longer than `slow_after`: its name, and whether the suite's own code
  /// computes or waits.
  std::function<void(const Message&)> on_slow{};
  std::chrono::seconds slow_after{60};
};

struct SuiteOutcome {
  std::vector<TestResult> tests;
  std::vector<Fact> facts;
  std::vector<KernelResources> resources;
  std::string student_output;
  std::optional<SpeedResult> speed;
  std::vector<CardKernel> card_kernels;
};

/// Runs the exercise's suite program on one built submission and collects its results; calls `on_test` as
/// each test ends. A suite that crashes, hangs or writes malformed results is a grader error that names it;
/// if the submission does any of this, the running test gets the verdict.
Result<SuiteOutcome> RunSuite(const SuiteRequest& request, const Layout& layout,
                              const std::function<void(const TestResult&)>& on_test);

}  // namespace warplings
