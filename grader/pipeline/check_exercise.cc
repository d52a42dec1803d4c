// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_exercise.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "grader/advice/advise.h"
#include "grader/build/build_submission.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/checking.h"
#include "grader/messages/grader_faults.h"
#include "grader/messages/judging.h"
#include "grader/pipeline/attribution.h"
#include "grader/pipeline/card_queue.h"
#include "grader/pipeline/nvidia_tools.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/source_notes/source_notes.h"
#include "grader/suite/run_suite.h"
#include "grader/workbook/covered_texts.h"

namespace warplings {
namespace {

ExerciseResult EmptyResult(const Submission& submission, const CheckSettings& settings) {
  ExerciseResult result;
  result.chapter = submission.exercise->chapter;
  result.exercise = submission.exercise->id;
  result.title = submission.exercise->title;
  result.file = submission.display_name;
  result.source = submission.source;
  result.shown_counts = submission.exercise->shown_counts;
  result.device = settings.device.name;
  result.seed = settings.seed;
  result.max_points = submission.exercise->points;
  return result;
}

void AddFault(ExerciseResult& result, const Error& fault) {
  result.verdict = Verdict::kGraderFault;
  result.reason = fault.message;
  result.next_step = fault.next_step;
}

/// A fault of ours ends this exercise, not the ones after it.
Result<ExerciseResult> Faulted(ExerciseResult result, const Error& error) {
  if (error.blame == Blame::kUsage) return error;
  AddFault(result, error);
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
  result.facts = std::move(run.facts);
  result.resources = std::move(run.resources);
  result.student_output = std::move(run.student_output);
  result.speed = std::move(run.speed);
}

bool IsCard(const DeviceChoice& device) {
  return !device.spec.starts_with("virtual");
}

/// A device that nobody else on this machine uses: one run at a time on a real card, however many submissions
/// are compiled meanwhile.
struct DeviceTurn {
  std::string spec;
  CardTurn card;
};

DeviceTurn TurnOn(const DeviceChoice& device, const CheckListener& listener) {
  if (!IsCard(device) || device.cards.empty()) return {device.spec, {}};
  static const CardQueue queue = CardQueue::OfThisMachine();
  std::vector<std::string> places;
  for (const DeviceChoice::Card& card : device.cards) places.push_back(card.place);
  listener.on_stage(say::stage_waiting_for_card());
  if (listener.on_card_wait) listener.on_card_wait();
  CardTurn turn = queue.Wait(places);
  return {device.cards[turn.card()].spec, std::move(turn)};
}

/// What a measurement compares the submission with.
struct SpeedPrograms {
  SpeedMode mode = SpeedMode::kOff;
  BuildOutcome baseline, reference;
};

Result<BuildOutcome> BuildOurs(const Submission& submission, const std::filesystem::path& file,
                               const CheckSettings& settings, const Layout& layout) {
  auto build = BuildSubmission({.exercise = submission.exercise,
                                .file = file,
                                .display_name = file.string(),
                                .sm = settings.device.sm,
                                .device = settings.device.spec},
                               layout);
  if (build && build->verdict != Verdict::kPassed)
    return GraderError(say::no_program_of(file.string(), build->reason));
  return build;
}

Result<SpeedPrograms> BuildSpeedPrograms(const Submission& submission, const CheckSettings& settings,
                                         const Layout& layout) {
  const Exercise& exercise = *submission.exercise;
  SpeedPrograms programs;
  const bool measures = settings.speed == SpeedMode::kMeasure;
  if (!exercise.speed || settings.speed == SpeedMode::kOff || measures != IsCard(settings.device))
    return programs;
  const auto file = BaselineFile(exercise);
  auto baseline = file ? BuildOurs(submission, *file, settings, layout) : Result<BuildOutcome>(file.error());
  // A student's copy of the workbook may have none. An estimate is no reason not to check.
  if (!baseline && settings.speed == SpeedMode::kEstimate) return programs;
  if (!baseline) return baseline.error();
  programs.mode = settings.speed;
  programs.baseline = std::move(*baseline);
  if (exercise.solution.empty() || settings.speed == SpeedMode::kEstimate) return programs;
  auto reference = BuildOurs(submission, exercise.solution, settings, layout);
  if (!reference) return reference.error();
  programs.reference = std::move(*reference);
  return programs;
}

/// The solution's tests in the submission's place; nothing where there is no solution.
std::optional<Result<SuiteOutcome>> RunSolution(SuiteRequest request, const Submission& submission,
                                                const CheckSettings& settings, const Layout& layout) {
  const Exercise& exercise = *submission.exercise;
  if (exercise.solution.empty()) return std::nullopt;
  const auto solution = BuildOurs(submission, exercise.solution, settings, layout);
  if (!solution) return Result<SuiteOutcome>(solution.error());
  request.worker = solution->worker;
  request.answers = ReadAnswers(exercise, exercise.solution);
  request.speed = SpeedMode::kOff;
  return RunSuite(request, layout, [](const TestResult&) {});
}

SuiteRequest RequestFor(const Submission& submission, const CheckSettings& settings,
                        const BuildOutcome& build, const SpeedPrograms& programs, const std::string& device) {
  return {.exercise = submission.exercise,
          .worker = build.worker,
          .device = device,
          .watcher = settings.device.watcher,
          .card_decides = settings.card_decides,
          .seed = settings.seed,
          .memory_bytes = settings.memory_bytes,
          .answers = submission.answers,
          .detailed = settings.detailed,
          .speed = programs.mode,
          .baseline = programs.baseline.worker,
          .reference = programs.reference.worker,
          .test = settings.test};
}

/// Where the grader fails, the tests run again, and then the solution's, to find out whose fault it is.
Result<SuiteOutcome> RunTests(SuiteRequest request, const Submission& submission,
                              const CheckSettings& settings, const Layout& layout,
                              const CheckListener& listener) {
  request.on_slow = listener.on_slow;
  const auto run_again = [&] {
    listener.on_stage(say::stage_running_again());
    return RunSuite(request, layout, listener.on_test);
  };
  const auto run_solution = [&] {
    listener.on_stage(say::stage_running_solution());
    return RunSolution(request, submission, settings, layout);
  };
  return AttributeFaults(RunSuite(request, layout, listener.on_test), run_again, run_solution);
}

/// What NVIDIA's tools say, where they are asked.
void AddTools(ExerciseResult& result, const CheckSettings& settings, const SuiteRequest& request,
              const Layout& layout, const CheckListener& listener) {
  if (settings.sanitize) result.tools = RunSanitizer(request, layout, listener.on_stage);
  if (!settings.profile) return;
  NcuRun ncu = RunNcu(request, layout, listener.on_stage);
  result.measured_counts = std::move(ncu.counts);
  if (!ncu.report.problem.empty()) result.tools.push_back(std::move(ncu.report));
}

void AddSpeed(ExerciseResult& result, const Exercise& exercise, const CheckSettings& settings) {
  if (!exercise.speed) return;
  if (!result.speed) result.speed.emplace();
  if (result.speed->status == SpeedStatus::kNotMeasured && result.speed->reason.empty()) {
    result.speed->reason = IsCard(settings.device) ? say::speed_not_asked_for() : say::speed_needs_gpu();
  }
  result.speed->baseline = exercise.speed->baseline;
  result.speed->max_points = exercise.speed->points;
}

}  // namespace

ExerciseResult FaultedResult(const Submission& submission, const CheckSettings& settings,
                             const Error& fault) {
  ExerciseResult result = EmptyResult(submission, settings);
  AddFault(result, fault);
  return result;
}

void Conclude(const Exercise& exercise, ExerciseResult& result) {
  if (result.tests.empty()) {
    result.verdict = Verdict::kGraderFault;
    result.reason = say::suite_ran_no_test();
    return;
  }
  result.verdict = Verdict::kPassed;
  for (const TestResult& test : result.tests) result.verdict = Worse(result.verdict, test.verdict);
  result.points = ScorePoints(exercise, result.tests, result.speed);
  Advise(exercise.misconceptions, result);
}

Result<SuiteOutcome> RunOurs(const Submission& submission, const std::filesystem::path& file,
                             const CheckSettings& settings, const Layout& layout) {
  const auto build = BuildOurs(submission, file, settings, layout);
  if (!build) return build.error();
  CheckSettings on_virtual_gpu = settings;
  on_virtual_gpu.device.spec =
      settings.device.watcher.empty() ? settings.device.spec : settings.device.watcher;
  on_virtual_gpu.speed = settings.speed == SpeedMode::kOff ? SpeedMode::kOff : SpeedMode::kEstimate;
  const auto programs = BuildSpeedPrograms(submission, on_virtual_gpu, layout);
  if (!programs) return programs.error();
  const SuiteRequest request{.exercise = submission.exercise,
                             .worker = build->worker,
                             .device = on_virtual_gpu.device.spec,
                             .watcher = "",
                             .seed = settings.seed,
                             .memory_bytes = settings.memory_bytes,
                             .answers = ReadAnswers(*submission.exercise, file),
                             .detailed = settings.detailed,
                             .speed = programs->mode,
                             .baseline = programs->baseline.worker,
                             .reference = {}};
  return RunSuite(request, layout, {});
}

Result<ExerciseResult> CheckExercise(const Submission& submission, const CheckSettings& settings,
                                     const Layout& layout, const CheckListener& listener) {
  ExerciseResult result = EmptyResult(submission, settings);

  const Status suites = BuildSuites({submission.exercise}, layout);
  if (!suites) return Faulted(std::move(result), suites.error());
  listener.on_stage(say::stage_compiling());
  const BuildRequest build_request{.exercise = submission.exercise,
                                   .file = submission.file,
                                   .display_name = submission.display_name,
                                   .sm = settings.device.sm,
                                   .device = settings.device.spec};
  const Result<BuildOutcome> build = BuildSubmission(build_request, layout);
  if (!build) return Faulted(std::move(result), build.error());
  AddBuild(result, *build);
  if (result.verdict != Verdict::kPassed) return result;

  const auto programs = BuildSpeedPrograms(submission, settings, layout);
  if (!programs) return Faulted(std::move(result), programs.error());
  const DeviceTurn turn = TurnOn(settings.device, listener);
  listener.on_stage(say::stage_running_tests());
  const auto start = std::chrono::steady_clock::now();
  const SuiteRequest suite_request = RequestFor(submission, settings, *build, *programs, turn.spec);
  Result<SuiteOutcome> run = RunTests(suite_request, submission, settings, layout, listener);
  if (!run) return Faulted(std::move(result), run.error());
  AddRun(result, std::move(*run));
  result.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (settings.test.empty()) AddSpeed(result, *submission.exercise, settings);
  Conclude(*submission.exercise, result);
  if (!settings.test.empty()) result.points = result.max_points = 0;
  AddSourceNotes(result);
  AddTools(result, settings, suite_request, layout, listener);
  return result;
}

}  // namespace warplings
