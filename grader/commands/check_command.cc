// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>

#include "grader/commands/check_exercise.h"
#include "grader/commands/command.h"
#include "grader/commands/progress_line.h"
#include "grader/commands/supervise.h"
#include "grader/commands/workbook_view.h"
#include "grader/report/atomic_file.h"
#include "grader/report/json_report.h"
#include "grader/report/terminal_report.h"

namespace warplings {
namespace {

struct CheckOptions {
  SubmissionRequest submissions;
  std::string device = "auto";
  std::string json;
  std::optional<std::uint64_t> seed;
  bool verbose = false;
  Layout layout = ThisLayout();
};

constexpr const char* kFooter =
    "WHAT is a chapter (1, 01_boundary_checks) or an exercise (tiled_matmul,\n"
    "01_boundary_checks/tiled_matmul); without it, the next exercise that has not passed.\n"
    "\n"
    "Examples:\n"
    "  warplings check 1                          chapter 1\n"
    "  warplings check tiled_matmul --verbose     with counts by source line and all output\n"
    "  warplings check 1 --file ~/mine.cu         another file instead of the workbook's\n"
    "  warplings check 1 --device virtual:t4      on the virtual GPU as a T4\n"
    "  warplings check 1 --seed 7 --json r.json   with given inputs; the result for programs\n"
    "\n"
    "Exit status: 0 all passed, 1 something did not pass, 2 wrong usage, 3 the grader itself failed.";

/// 32 bits: enough that nobody prepares for it, short enough to type.
std::uint64_t FreshSeed() {
  return std::random_device()();
}

CheckListener ShowProgress(ProgressLine& line, const std::string& name) {
  auto done = std::make_shared<int>(0);
  return {.on_stage = [&line, name](const std::string& stage) { line.Show(name + ": " + stage); },
          .on_test =
              [&line, name, done](const TestResult& test) {
                line.Show(name + ": " + std::to_string(++*done) + " tests done, last: " + test.title);
              }};
}

int StatusOf(Verdict verdict) {
  if (verdict == Verdict::kPassed) return kExitPassed;
  return verdict == Verdict::kGraderFault ? kExitGraderFault : kExitNotPassed;
}

/// Losing track of progress is worth a word, but no reason to fail a check.
void RecordProgress(const Submission& submission, const ExerciseResult& result) {
  if (!submission.is_workbook_file || result.verdict == Verdict::kGraderFault) return;
  Progress progress = LoadProgress(ProgressFile());
  progress[FullName(*submission.exercise)] = {
      result.verdict, HashSubmission(submission.source, submission.answers), result.points};
  const Status saved = SaveProgress(ProgressFile(), progress);
  if (!saved) std::fprintf(stderr, "warplings: progress is not kept: %s\n", saved.error().message.c_str());
}

/// load, build and run (CheckExercise), result, report: one submission after the other, the worst status
/// wins.
int Check(const CheckOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  const Result<DeviceChoice> device = ChooseDevice(options.device);
  if (!device) return ReportError(device.error());
  const auto submissions = ChooseSubmissions(*workbook, LoadProgress(ProgressFile()), options.submissions);
  if (!submissions) return ReportError(submissions.error());
  if (submissions->empty()) std::puts("All exercises have passed. Name one to check it again.");

  const CheckSettings settings{*device, options.seed ? *options.seed : FreshSeed()};
  TerminalStyle style = DetectTerminalStyle(STDOUT_FILENO);
  style.verbose = options.verbose;
  int status = kExitPassed;
  std::vector<ExerciseResult> results;
  for (const Submission& submission : *submissions) {
    ProgressLine line;
    Result<ExerciseResult> result =
        CheckExercise(submission, settings, options.layout, ShowProgress(line, submission.exercise->id));
    line.Clear();
    if (!result) {
      status = std::max(status, ReportError(result.error()));
      continue;
    }
    if (!results.empty()) std::puts("");
    std::fputs(TerminalReport(*result, style).c_str(), stdout);
    std::fflush(stdout);
    RecordProgress(submission, *result);
    status = std::max(status, StatusOf(result->verdict));
    results.push_back(std::move(*result));
  }
  if (!options.json.empty()) {
    const Status written = WriteFileAtomically(options.json, JsonReport(results));
    if (!written) status = std::max(status, ReportError(written.error()));
  }
  return status;
}

/// CLI11 would take "-1" for a very large number, and too large a number for the largest.
std::string RefuseWhatIsNoSeed(const std::string& text) {
  std::uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, seed);
  return fault == std::errc() && stop == end ? "" : "'" + text + "' is not a whole number from 0 to 2^64 - 1";
}

void Configure(CLI::App& app, CheckOptions& options) {
  app.add_option("WHAT", options.submissions.what,
                 "Chapters or exercises; default: the next unsolved exercise");
  CLI::Option* file =
      app.add_option("--file", options.submissions.file, "Check this file instead of the workbook's")
          ->type_name("F.cu");
  app.add_flag("--solution", options.submissions.solution, "Check the solution's file")->excludes(file);
  app.add_option("--device", options.device, "auto, virtual, virtual:PROFILE or gpu; default: auto")
      ->type_name("DEVICE");
  app.add_option("--json", options.json, "Write the result to F, by docs/result.schema.json")->type_name("F");
  app.add_option("--seed", options.seed, "Make the same inputs as the run that printed this seed")
      ->type_name("N")
      ->check(RefuseWhatIsNoSeed);
  app.add_flag("--verbose", options.verbose,
               "Show counts by source line, and all that compiler and program printed");
  app.add_option("--workbook", options.layout.root, "Folder that holds chapters/; default: this workbook")
      ->type_name("DIR");
  app.footer(kFooter);
}

}  // namespace

Command MakeCheckCommand() {
  auto options = std::make_shared<CheckOptions>();
  return {"check", "Check your solutions and say what to do first",
          [options](CLI::App& app) { Configure(app, *options); },
          [options] { return Supervise([options] { return Check(*options); }); }};
}

}  // namespace warplings
