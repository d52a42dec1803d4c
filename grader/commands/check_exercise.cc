// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/check_exercise.h"

#include <chrono>
#include <mutex>

#include "grader/build/build_submission.h"
#include "grader/judge/run_suite.h"

namespace warplings {
namespace {

ExerciseResult EmptyResult(const Submission& submission, const CheckSettings& settings) {
  ExerciseResult result;
  result.chapter = submission.exercise->chapter;
  result.exercise = submission.exercise->id;
  result.title = submission.exercise->title;
  result.file = submission.display_name;
  result.source = submission.source;
  result.device = settings.device.name;
  result.seed = settings.seed;
  result.max_points = submission.exercise->points;
  return result;
}

/// A fault of ours ends this exercise, not the ones after it.
Result<ExerciseResult> Faulted(ExerciseResult result, const Error& error) {
  if (error.blame == Blame::kUsage) return error;
  result.verdict = Verdict::kGraderFault;
  result.reason = error.message;
  result.next_step = error.next_step;
  return result;
}

void AddBuild(ExerciseResult& result, const BuildOutcome& build) {
  result.verdict = build.verdict;
  result.reason = build.reason;
  result.next_step = build.next_step;
  result.diagnostics = build.diagnostics;
  result.compiler_output = build.compiler_output;
  result.build_seconds = build.seconds;
}

void AddRun(ExerciseResult& result, SuiteOutcome run) {
  result.tests = std::move(run.tests);
  result.misconceptions = std::move(run.misconceptions);
  result.resources = std::move(run.resources);
  result.student_output = std::move(run.student_output);
}

/// One run at a time on a real card, however many submissions are compiled meanwhile.
std::unique_lock<std::mutex> TurnOn(const std::string& device) {
  static std::mutex card;
  return device.starts_with("gpu") ? std::unique_lock(card) : std::unique_lock<std::mutex>();
}

}  // namespace

void Conclude(const Exercise& exercise, ExerciseResult& result) {
  if (result.tests.empty()) {
    result.verdict = Verdict::kGraderFault;
    result.reason = "the suite ran no test";
    return;
  }
  result.verdict = Verdict::kPassed;
  for (const TestResult& test : result.tests) result.verdict = Worse(result.verdict, test.verdict);
  result.points = ScorePoints(exercise, result.tests);
  // A recognised misconception says more than any test's own step, and says it in its message.
  if (!result.misconceptions.empty()) return;
  for (const TestResult& test : result.tests) {
    if (test.verdict == Verdict::kPassed || !result.next_step.empty()) continue;
    result.next_step = test.next_step;
  }
}

Result<ExerciseResult> CheckExercise(const Submission& submission, const CheckSettings& settings,
                                     const Layout& layout, const CheckListener& listener) {
  ExerciseResult result = EmptyResult(submission, settings);

  listener.on_stage("compiling");
  const BuildRequest build_request{.exercise = submission.exercise,
                                   .file = submission.file,
                                   .display_name = submission.display_name,
                                   .sm = settings.device.sm,
                                   .device = settings.device.spec};
  const Result<BuildOutcome> build = BuildSubmission(build_request, layout);
  if (!build) return Faulted(std::move(result), build.error());
  AddBuild(result, *build);
  if (result.verdict != Verdict::kPassed) return result;

  const std::unique_lock<std::mutex> turn = TurnOn(settings.device.spec);
  listener.on_stage("running the tests");
  const auto start = std::chrono::steady_clock::now();
  const SuiteRequest suite_request{.exercise = submission.exercise,
                                   .worker = build->worker,
                                   .device = settings.device.spec,
                                   .watcher = settings.device.watcher,
                                   .card_decides = settings.card_decides,
                                   .seed = settings.seed,
                                   .answers = submission.answers};
  Result<SuiteOutcome> run = RunSuite(suite_request, layout, listener.on_test);
  if (!run) return Faulted(std::move(result), run.error());
  AddRun(result, std::move(*run));
  result.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Conclude(*submission.exercise, result);
  return result;
}

}  // namespace warplings
