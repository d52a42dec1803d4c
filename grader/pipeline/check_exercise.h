// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/judge/run_suite.h"
#include "grader/judge/suite_messages.h"
#include "grader/pipeline/choose_submissions.h"
#include "grader/pipeline/device_choice.h"

namespace warplings {

/// How a submission is to be run.
struct CheckSettings {
  DeviceChoice device;
  /// On a card: what it alone shows decides, without the virtual GPU's findings. For authors, who want to
  /// know what hardware hides.
  bool card_decides = false;
  std::uint64_t seed = 0;
  std::uint64_t memory_bytes = 0;  ///< As in SuiteOrder.
  /// kMeasure: where `device` is a card; kRehearse and kEstimate: on a virtual one.
  SpeedMode speed = SpeedMode::kOff;
  /// One test alone, by GoogleTest's name; empty: all. The result then has no points, neither earned nor to
  /// earn.
  std::string test{};
  /// On a card: also run under compute-sanitizer's tools, and under ncu.
  bool sanitize = false, profile = false;
  /// Keep also what a profile's page draws.
  bool detailed = false;
};

/// Told while a check is under way; for the progress line.
struct CheckListener {
  std::function<void(const std::string& stage)> on_stage;  ///< "compiling", "running the tests".
  std::function<void(const TestResult&)> on_test;
  /// All is compiled; what follows waits for a card, and then for what the card does.
  std::function<void()> on_card_wait = {};
};

/// Build and run of one submission: the straight line, ending in a finished result. A fault of the grader's
/// is a result with Verdict::kGraderFault; an Error is wrong usage.
Result<ExerciseResult> CheckExercise(const Submission& submission, const CheckSettings& settings,
                                     const Layout& layout, const CheckListener& listener);

/// The tests of a submission's exercise on a program of ours in its place (a baseline, a solution), with the
/// same inputs; on the virtual GPU that a card has beside it, not on the card.
Result<SuiteOutcome> RunOurs(const Submission& submission, const std::filesystem::path& file,
                             const CheckSettings& settings, const Layout& layout);

/// Verdict, points and what to do first, from the tests: the worst verdict of them, points by the exercise's
/// rule, and the first next step unless a misconception says more. Apart for its tests.
void Conclude(const Exercise& exercise, ExerciseResult& result);

}  // namespace warplings
