// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/pipeline/choose_submissions.h"
#include "grader/pipeline/device_choice.h"
#include "grader/suite/run_suite.h"
#include "grader/suite/suite_messages.h"

namespace warplings {

/// How a submission is checked.
struct CheckSettings {
  DeviceChoice device;
  /// On a card: ignore the virtual GPU's findings; only the card decides. For authors, who want to know which
  /// errors hardware hides.
  bool card_decides = false;
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = 0;  ///< As in SuiteOrder.
  /// kMeasure needs a card as `device`; kRehearse and kEstimate need a virtual device.
  SpeedMode speed = SpeedMode::kOff;
  /// GoogleTest name of the only test to run; empty: all. With a single test, the result has no points and no
  /// maximum.
  std::string test{};
  /// On a card: also run under compute-sanitizer's tools, and under ncu.
  bool sanitize = false, profile = false;
  /// Also record what a profile's page shows.
  bool detailed = false;
};

/// Callbacks during a check, for the progress line.
struct CheckListener {
  std::function<void(const Message& stage)> on_stage;  ///< "compiling", "running the tests".
  std::function<void(const TestResult&)> on_test;
  /// Called when everything is compiled, before waiting for a card and using it.
  std::function<void()> on_card_wait = {};
  /// Told once of each test that takes longer than a minute.
  std::function<void(const Message&)> on_slow = {};
};

/// Builds and runs one submission and returns the finished result. If the grader fails, the result has
/// Verdict::kGraderFault; an Error always means wrong usage.
Result<ExerciseResult> CheckExercise(const Submission& submission, const CheckSettings& settings,
                                     const Layout& layout, const CheckListener& listener);

/// The result of a check that the grader failed at, as CheckExercise returns it.
ExerciseResult FaultedResult(const Submission& submission, const CheckSettings& settings, const Error& fault);

/// Runs the exercise's tests on a program of ours (a baseline or solution) instead of the submission, with
/// the same inputs. Always on a virtual GPU: if the check uses a card, on its watcher. If the check looks at
/// speed, this estimates it.
Result<SuiteOutcome> RunOurs(const Submission& submission, const std::filesystem::path& file,
                             const CheckSettings& settings, const Layout& layout);

/// Sets verdict and points of `result` from its tests, the worst verdict and points by the exercise's rule,
/// and has Advise decide what is said first. A function of its own so that it can be tested.
void Conclude(const Exercise& exercise, ExerciseResult& result);

}  // namespace warplings
