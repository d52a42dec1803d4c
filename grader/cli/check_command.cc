// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/cli/ascii_output.h"
#include "grader/cli/chosen_exercise.h"
#include "grader/cli/command.h"
#include "grader/cli/next_steps.h"
#include "grader/cli/open_page.h"
#include "grader/cli/progress_line.h"
#include "grader/cli/seed_option.h"
#include "grader/cli/supervise.h"
#include "grader/cli/typed_name.h"
#include "grader/messages/command_line.h"
#include "grader/pipeline/check_many.h"
#include "grader/pipeline/profile_page.h"
#include "grader/pipeline/run_program.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/test_names.h"
#include "grader/pipeline/untouched.h"
#include "grader/pipeline/workbook_history.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/json_report.h"
#include "grader/report/result_formats.h"
#include "grader/report/result_words.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

constexpr const char* kAutomaticDevice = "auto";

struct CheckOptions {
  SubmissionRequest submissions;
  std::string device = kAutomaticDevice;
  std::string json;
  std::string html;       ///< Where the page of a profile goes; "" for none.
  std::string page_test;  ///< That the page shows.
  std::optional<std::uint64_t> seed;
  SpeedMode speed = SpeedMode::kMeasure;
  bool sanitize = false, profile = false;
  std::string test;  ///< As typed; then its whole name.
  bool verbose = false;
  bool all = false;
  const ResultFormat* format = &kResultFormats[0];
  std::size_t parallel = DefaultJobs();
  Layout layout = LayoutOfCurrentWorkbook();
};

constexpr const char* kCheckFooter =
    "WHAT is a chapter (1, 01_boundary_checks) or an exercise (tiled_matmul,\n"
    "01_boundary_checks/tiled_matmul, a part of a name that fits only one, or the path of a file of that\n"
    "name). Without it, the check takes the file that you edited last, unless it was checked since; or else\n"
    "the exercise that you checked last, if it has not passed; or else the next one that has not.\n"
    "Of several exercises, the check stops at the first that does not pass; --all and --json check all.\n"
    "A file that is still as it was handed out is not compiled: the check says where to begin. --verbose\n"
    "tests it anyway.\n"
    "Solutions are compiled as C++17 (nvcc -std=c++17).\n"
    "\n"
    "Examples:\n"
    "  warplings check 1                          chapter 1\n"
    "  warplings check tiled_matmul --verbose     every test, finding and count, also by line\n"
    "  warplings check 1 --file ~/mine.cu         another file instead of the workbook's\n"
    "  warplings check 1 --device virtual:t4      on the virtual GPU as a T4\n"
    "  warplings check 1 --seed 7 --json r.json   with given inputs; the result for programs\n"
    "  warplings check tiled_matmul --html p.html   and draw what it did, line by line (help profile)\n"
    "\n"
    "Exit status: 0 all passed, 1 something did not pass, 2 wrong usage, 3 the grader itself failed.";

int StatusOf(Verdict verdict) {
  if (verdict == Verdict::kPassed) return kExitPassed;
  return verdict == Verdict::kGraderFault ? kExitGraderFault : kExitNotPassed;
}

/// A file of the student's own counts once it has passed; while it fails, it takes nothing away from the
/// workbook's.
bool IsProgress(const Submission& submission, const ExerciseResult& result, const std::string& file,
                const Progress& progress) {
  if (submission.is_workbook_file || result.verdict == Verdict::kPassed) return true;
  const auto known = progress.find(FullName(*submission.exercise));
  return known != progress.end() && known->second.file == file;
}

/// Losing track of progress is worth a word, but no reason to fail a check. Returns whether the exercise had
/// passed before and does not now.
bool RecordProgress(const Submission& submission, const ExerciseResult& result) {
  Progress progress = LoadProgress(ProgressFile());
  const bool is_broken =
      result.verdict != Verdict::kPassed && StateOf(*submission.exercise, progress) != ExerciseState::kOpen;
  std::error_code fault;
  const std::string file =
      submission.is_workbook_file ? "" : std::filesystem::weakly_canonical(submission.file, fault).string();
  if (!IsProgress(submission, result, file, progress)) return is_broken;
  ProgressEntry& entry = progress[FullName(*submission.exercise)];
  entry = AfterCheck(is_broken ? entry : ProgressEntry{},
                     {.verdict = result.verdict,
                      .file_hash = HashSubmission(submission.source, submission.answers),
                      .points = result.points,
                      .file = file,
                      .pass = {},
                      .passed_in = PlaceOf(*submission.exercise)});
  const Status saved = SaveProgress(ProgressFile(), progress);
  if (!saved) Warn(say::progress_not_kept(saved.error().message));
  return is_broken;
}

std::string PointsOf(const ExerciseResult& result) {
  return Words(say::points_of(PointsText(result.points), PointsText(result.max_points))) +
         WordsOfLuck(result);
}

/// "  pass  01_boundary_checks/tiled_matmul  10 of 10 points".
std::string ResultLine(const ExerciseResult& result) {
  return "  " + Translated("pass") + "  " + result.chapter + "/" + result.exercise + "  " + PointsOf(result) +
         "\n";
}

/// Prints each result as soon as it is there, and remembers the worst status.
class Reporter {
 public:
  Reporter(const CheckOptions& options, const std::vector<CheckJob>& jobs)
      : options_(options), jobs_(jobs), style_(DetectTerminalStyle(STDOUT_FILENO)) {
    style_.detail = options.verbose ? Detail::kVerbose : Detail::kScreen;
  }

  void Progress(std::size_t job, const Message& what) {
    const std::string& exercise = jobs_[job].submission.exercise->id;
    line_.Show(Words(jobs_.size() > 1 ? say::progress_of_several(done_, jobs_.size(), exercise, what)
                                      : say::progress_of_one(exercise, what)));
  }

  void WarnOf(std::size_t job, const Message& what) {
    line_.Clear();
    Warn(say::progress_of_one(jobs_[job].submission.exercise->id, what));
  }

  void Report(std::size_t job, const Result<ExerciseResult>& result) {
    line_.Clear();
    ++done_;
    if (!result) {
      status_ = std::max(status_, ReportError(result.error()));
      return;
    }
    Print(*result);
    std::fflush(stdout);
    if (!options_.test.empty()) SayThatItIsNoGrade(jobs_[job].submission.exercise->id);
    if (options_.test.empty() && !options_.submissions.solution && result->verdict != Verdict::kGraderFault) {
      const bool is_broken = RecordProgress(jobs_[job].submission, *result);
      if (is_broken && !options_.format->IsForPrograms()) PrintLine(say::passed_before_now_fails());
      OfferHint(*jobs_[job].submission.exercise, *result, is_broken);
    }
    status_ = std::max(status_, StatusOf(result->verdict));
    results_.push_back(*result);
  }

  /// Of a file that is still as it was handed out. Does not pass, and was not compiled.
  void SayWhereToBegin(std::size_t job, const FirstTodo& todo);
  /// One line a checked exercise, where there are several reports; how many exercises were not looked at.
  void Summarise() const;
  /// After a pass: how much of the chapter that makes, and what comes next.
  void SayWhatComesNext(const Workbook& workbook) const;

  int status() const { return status_; }
  const std::vector<ExerciseResult>& results() const { return results_; }

 private:
  /// Of several exercises, one that passed is a line: what is to be done shall not scroll out of sight.
  void Print(const ExerciseResult& result) {
    if (options_.format->IsForPrograms()) {
      if (options_.format->of_each != nullptr) PutAsItIs(options_.format->of_each(result));
      return;
    }
    const bool short_form =
        jobs_.size() > 1 && result.verdict == Verdict::kPassed && style_.detail == Detail::kScreen;
    if (done_ > 1 && !(short_form && last_was_short_)) std::puts("");
    std::fputs(short_form ? ResultLine(result).c_str() : TerminalReport(result, style_).c_str(), stdout);
    last_was_short_ = short_form;
    reports_ += !short_form;
  }
  void SayWhatWasNotChecked() const;
  void PrintTable() const;
  void SayThatItIsNoGrade(const std::string& exercise) const {
    if (options_.format->IsForPrograms()) return;
    PrintLine(say::one_test_is_no_grade(TypedName(), exercise));
  }

  /// A first failure is everybody's; after the second one, a hint may be welcome. Whoever broke what had
  /// passed needs none.
  void OfferHint(const Exercise& exercise, const ExerciseResult& result, bool is_broken) const {
    constexpr std::size_t kPatience = 2;
    const std::filesystem::path file = WorkbookHistoryFile(options_.layout.root);
    WorkbookHistory history = LoadWorkbookHistory(file);
    NoteCheck(history, result);
    // What cannot be remembered is said where progress cannot be.
    if (!SaveWorkbookHistory(file, history)) return;
    const ExerciseHistory& mine = history.exercises[FullName(exercise)];
    if (options_.format->IsForPrograms() || is_broken || mine.failed_checks < kPatience ||
        mine.hints.size() >= exercise.hints.size())
      return;
    PrintLine(say::stuck(TypedName(), exercise.id));
  }

  const CheckOptions& options_;
  const std::vector<CheckJob>& jobs_;
  TerminalStyle style_;
  ProgressLine line_;
  bool last_was_short_ = false;
  std::size_t reports_ = 0;
  std::size_t done_ = 0;
  int status_ = kExitPassed;
  std::vector<ExerciseResult> results_;
};

/// The lines of a comment. If one is too long, they are broken anew.
std::string QuotedComment(const std::vector<std::string>& comment, std::size_t columns) {
  constexpr std::string_view kSlashes = "// ", kIndent = "  ";
  const auto fits = [&](const std::string& line) {
    return !line.starts_with(kSlashes) || DisplayWidth(Printable(line)) + kIndent.size() <= columns;
  };
  std::string text;
  if (std::ranges::all_of(comment, fits)) {
    for (const std::string& line : comment)
      text += CutTo(std::string(kIndent) + Printable(line), columns) + "\n";
    return text;
  }
  for (const std::string& line : comment)
    text += Printable(line.substr(line.starts_with(kSlashes) ? kSlashes.size() : 0)) + "\n";
  std::string quoted;
  std::istringstream lines(Wrap(JoinLines(text), columns - kIndent.size() - kSlashes.size(), 0));
  for (std::string line; std::getline(lines, line);)
    quoted.append(kIndent).append(kSlashes).append(line) += '\n';
  return quoted;
}

void Reporter::SayWhereToBegin(std::size_t job, const FirstTodo& todo) {
  const Exercise& exercise = *jobs_[job].submission.exercise;
  const Message where = todo.number > 0 ? say::nothing_changed_begin_at(todo.number, todo.line)
                                        : say::nothing_changed_begin_here(todo.line);
  line_.Clear();
  if (done_ > 0) std::puts("");
  ++done_;
  ++reports_;
  last_was_short_ = false;
  status_ = std::max<int>(status_, kExitNotPassed);
  std::printf("%s: %s\n  %s\n\n%s\n", exercise.id.c_str(), exercise.title.c_str(),
              CutPathTo(Printable(jobs_[job].submission.display_name), style_.columns - 2).c_str(),
              Words(where).c_str());
  std::fputs(QuotedComment(todo.text, style_.columns).c_str(), stdout);
  std::fputs(HandoutOf(exercise, options_.layout, style_.columns).c_str(), stdout);
  // Hints are now about this exercise.
  const std::filesystem::path file = WorkbookHistoryFile(options_.layout.root);
  WorkbookHistory history = LoadWorkbookHistory(file);
  history.last_checked = FullName(exercise);
  static_cast<void>(SaveWorkbookHistory(file, history));
  if (::access(exercise.starter.c_str(), W_OK) != 0) {
    PrintLine(say::starter_not_writable(jobs_[job].submission.display_name, TypedName()));
    return;
  }
  PrintLine(say::to_test_it_anyway(TypedName(), exercise.id));
}

void Reporter::SayWhatWasNotChecked() const {
  if (done_ == jobs_.size() || done_ == 0) return;
  const std::string& chapter = jobs_[done_ - 1].submission.exercise->chapter;
  const bool same_chapter =
      std::all_of(jobs_.begin() + static_cast<std::ptrdiff_t>(done_), jobs_.end(),
                  [&](const CheckJob& job) { return job.submission.exercise->chapter == chapter; });
  const std::size_t more = jobs_.size() - done_;
  PrintLine(same_chapter ? say::more_in_chapter(more) : say::more_not_checked(more));
}

void Reporter::Summarise() const {
  if (options_.format->IsForPrograms()) return;
  SayWhatWasNotChecked();
  if (done_ < jobs_.size() || jobs_.size() < 2 || reports_ == 0) return;
  std::puts("");
  PrintTable();
  PrintLine(
      say::exercises_that_passed(std::ranges::count(results_, Verdict::kPassed, &ExerciseResult::verdict),
                                 say::Count(jobs_.size(), "exercise")));
}

void Reporter::PrintTable() const {
  if (results_.size() < 2) return;
  std::vector<std::vector<std::string>> rows;
  for (const ExerciseResult& result : results_) {
    const auto passed = std::ranges::count(result.tests, Verdict::kPassed, &TestResult::verdict);
    rows.push_back({Translated(result.verdict == Verdict::kPassed ? "pass" : "FAIL"),
                    result.chapter + "/" + result.exercise,
                    Words(say::tests_of(passed, say::Count(result.tests.size(), "test"))), PointsOf(result)});
  }
  std::fputs(AlignColumns(rows, 2).c_str(), stdout);
}

void Reporter::SayWhatComesNext(const Workbook& workbook) const {
  if (status_ != kExitPassed || results_.empty() || options_.format->IsForPrograms() ||
      options_.submissions.solution || !options_.test.empty())
    return;
  const ::warplings::Progress progress = LoadProgress(ProgressFile());
  const auto chapter = std::ranges::find(workbook.chapters, results_.back().chapter, &Chapter::id);
  std::puts("");
  std::fputs(ChapterLine(*chapter, progress).c_str(), stdout);
  std::fputs(WhatComesNext(workbook, progress, options_.layout, style_.columns).c_str(), stdout);
}

/// Without a GPU speed is estimated, which takes a program more to compile: where one exercise is checked, or
/// it was asked for.
SpeedMode SpeedModeFor(const CheckOptions& options, const DeviceChoice& device, std::size_t submissions) {
  const bool is_virtual = device.spec.starts_with("virtual");
  const bool is_automatic = options.speed == SpeedMode::kMeasure;
  return is_automatic && is_virtual && submissions == 1 ? SpeedMode::kEstimate : options.speed;
}

/// The tests of a run that nobody sees, for their titles; none where the file does not compile.
std::vector<NamedTest> TitledTests(const CheckJob& job, const Layout& layout) {
  std::vector<NamedTest> tests;
  CheckMany({job}, 1, layout, {.on_result = [&](std::size_t, const Result<ExerciseResult>& result) {
              if (!result) return;
              for (const TestResult& test : result->tests) tests.push_back({test.name, English(test.title)});
            }});
  return tests;
}

/// The whole name of the test that is to run alone; an error that lists the tests where it is not clear
/// which. Only a test that has run has a title: where no name fits, all are run once for that.
Result<std::string> TestNamed(const std::string& typed, const std::vector<Submission>& submissions,
                              const DeviceChoice& device, const Layout& layout) {
  if (submissions.size() != 1) return UsageError(say::test_of_one_exercise(), say::name_exercise_and_test());
  const Exercise& exercise = *submissions.front().exercise;
  if (const Status built = BuildSuites({&exercise}, layout); !built) return built.error();
  const auto names = ListTests(exercise, layout);
  if (!names) return names.error();
  std::vector<NamedTest> tests;
  for (const std::string& name : *names) tests.push_back({name, ""});
  if (!FitsAName(tests, typed)) {
    const CheckSettings settings{.device = device, .seed = FreshSeed(), .speed = SpeedMode::kOff};
    if (auto titled = TitledTests({submissions.front(), settings}, layout); !titled.empty())
      tests = std::move(titled);
  }
  const auto place = ChooseTest(tests, typed, exercise.id);
  if (!place) return place.error();
  return tests[*place].name;
}

/// The page of the one exercise that was checked. A grade never depends on it. No page where the grader
/// failed.
int DrawProfile(const CheckOptions& options, const CheckJob& job, const ExerciseResult& result) {
  if (result.verdict == Verdict::kGraderFault) return kExitPassed;
  std::error_code fault;
  const std::filesystem::path file = std::filesystem::absolute(options.html, fault);
  // The history compares the student's own runs; the solution's does not belong there.
  const ProfilePage page{.file = file,
                         .test = options.page_test,
                         .history = options.submissions.solution ? std::filesystem::path()
                                                                 : ProfileHistoryFile(options.layout.root)};
  const Status written = WriteProfilePage(job.submission, result, job.settings, page, options.layout);
  if (!written) return ReportError(written.error());
  std::fprintf(options.format->IsForPrograms() ? stderr : stdout, "%s\n",
               Words(say::profile_is(options.html)).c_str());
  return kExitPassed;
}

/// The device of all checks. Says why it is another than one might expect.
Result<DeviceChoice> ChooseCheckDevice(const CheckOptions& options) {
  auto device = ChooseDevice(options.device);
  if (!device) return device;
  if ((options.sanitize || options.profile) && device->watcher.empty()) {
    return UsageError(say::tools_need_card(device->name), say::virtual_gpus_findings());
  }
  if (!device->note.empty()) std::fprintf(stderr, "%s\n", Wrap(Words(device->note), 110, 0).c_str());
  return device;
}

/// Whoever checks again what has passed gets the next exercise, and should not take its report for the same.
void SayThatLastHasPassed(const CheckOptions& options, const Workbook& workbook, const Progress& progress,
                          const std::string& last, const std::vector<Submission>& chosen) {
  const bool is_named = !options.submissions.what.empty() || !options.submissions.file.empty();
  if (is_named || chosen.size() != 1 || options.format->IsForPrograms()) return;
  const auto checked = SelectExercises(workbook, last);
  if (!checked || checked->size() != 1 || checked->front() == chosen.front().exercise) return;
  const Exercise& passed = *checked->front();
  if (StateOf(passed, progress) != ExerciseState::kPassed) return;
  if (!IsUntouched(chosen.front(), options.layout.root)) return;  // It was edited: that says enough.
  PrintLine(say::has_passed_next_is(passed.id));
}

/// What WHAT names. Where all of it has passed there is nothing to check, and it says what comes next.
Result<std::vector<Submission>> ChooseWhatToCheck(const CheckOptions& options, const Workbook& workbook) {
  const Progress progress = LoadProgress(ProgressFile());
  SubmissionRequest request = options.submissions;
  request.workbook_root = options.layout.root;
  request.last_checked = LoadWorkbookHistory(WorkbookHistoryFile(options.layout.root)).last_checked;
  auto submissions = ChooseSubmissions(workbook, progress, request);
  if (!submissions) return submissions;
  SayThatLastHasPassed(options, workbook, progress, request.last_checked, *submissions);
  if (submissions->empty()) {
    const std::size_t columns = DetectTerminalStyle(STDOUT_FILENO).columns;
    std::fputs(WhatComesNext(workbook, progress, options.layout, columns).c_str(), stdout);
    PrintLine(say::name_exercise_to_check_again());
  }
  if (!options.html.empty() && submissions->size() != 1) {
    return UsageError(say::profile_of_one_exercise(submissions->size()),
                      say::name_one_to_profile(TypedName()));
  }
  return submissions;
}

Result<std::vector<CheckJob>> MakeJobs(const CheckOptions& options, const DeviceChoice& device,
                                       std::vector<Submission> submissions) {
  std::string test;
  if (!options.test.empty()) {
    auto named = TestNamed(options.test, submissions, device, options.layout);
    if (!named) return named.error();
    test = std::move(*named);
  }
  const CheckSettings settings{
      .device = device,
      .seed = options.seed ? *options.seed : FreshSeed(),
      .speed = test.empty() ? SpeedModeFor(options, device, submissions.size()) : SpeedMode::kOff,
      .test = test,
      .sanitize = options.sanitize,
      .profile = options.profile,
      .detailed = !options.html.empty()};
  std::vector<CheckJob> jobs;
  for (Submission& submission : submissions) jobs.push_back({std::move(submission), settings});
  return jobs;
}

/// For each submission that is still as it was handed out, where to begin. Whoever asks for more than the
/// verdict gets a check of such a file, too.
std::vector<std::optional<FirstTodo>> WhereToBegin(const CheckOptions& options,
                                                   const std::vector<Submission>& submissions) {
  std::vector<std::optional<FirstTodo>> begins(submissions.size());
  if (options.verbose || options.sanitize || options.profile || options.seed || !options.test.empty() ||
      !options.json.empty() || !options.html.empty() || options.format->IsForPrograms())
    return begins;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    if (IsUntouched(submissions[i], options.layout.root)) begins[i] = FindFirstTodo(submissions[i].source);
  }
  return begins;
}

/// Builds and runs; reports each exercise as it is done, by its number in `numbers`. `before`: called with
/// that number before each report.
Status CheckAndReport(const CheckOptions& options, bool all, const std::vector<CheckJob>& jobs,
                      const std::vector<std::size_t>& numbers, const std::function<void(std::size_t)>& before,
                      Reporter& reporter) {
  if (jobs.empty()) return Unit{};
  // What judges them is built at once where all are going to be checked, and solutions pass; else each when
  // its turn comes.
  if (all || options.submissions.solution) {
    std::vector<const Exercise*> exercises;
    for (const CheckJob& job : jobs) exercises.push_back(job.submission.exercise);
    if (const Status built = BuildSuites(exercises, options.layout); !built) return built;
  }
  CheckMany(
      jobs, all ? options.parallel : 1, options.layout,
      {.on_progress = [&](std::size_t job, const Message& what) { reporter.Progress(numbers[job], what); },
       .on_slow =
           [&](std::size_t job, const Message& what) {
             // An author's matter: each call of a submission has a limit of its own.
             if (options.submissions.solution) reporter.WarnOf(numbers[job], what);
           },
       .on_result =
           [&](std::size_t job, const auto& result) {
             before(numbers[job]);
             reporter.Report(numbers[job], result);
           },
       .on_finished =
           [&](std::size_t, const auto& result) {
             return all || (result && result->verdict == Verdict::kPassed);
           }});
  return Unit{};
}

/// Checks the files that somebody has worked on, and says of the others where to begin.
Status CheckChosen(const CheckOptions& options, const std::vector<CheckJob>& jobs,
                   const std::vector<std::optional<FirstTodo>>& begins, Reporter& reporter) {
  // Whoever wants the results for a program wants all of them. One at a time otherwise: what comes after the
  // first exercise that does not pass would only make its report wait.
  const bool all = options.all || !options.json.empty();
  std::vector<CheckJob> worked_on;
  std::vector<std::size_t> numbers, untouched;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (begins[i]) {
      untouched.push_back(i);
      if (!all) break;
      continue;
    }
    worked_on.push_back(jobs[i]);
    numbers.push_back(i);
  }
  // In the order of the exercises.
  std::size_t said = 0;
  const auto say_where_to_begin = [&](std::size_t before) {
    for (; said < untouched.size() && untouched[said] < before; ++said)
      reporter.SayWhereToBegin(untouched[said], *begins[untouched[said]]);
  };
  if (const Status ran = CheckAndReport(options, all, worked_on, numbers, say_where_to_begin, reporter); !ran)
    return ran;
  if (!all && reporter.status() != kExitPassed) return Unit{};
  say_where_to_begin(jobs.size());
  return Unit{};
}

/// The results for programs and the page, where they are asked for; the worse of their status and the
/// checks'.
int WriteOutputs(const CheckOptions& options, const std::vector<CheckJob>& jobs, const Reporter& reporter) {
  int status = reporter.status();
  if (options.format->of_all != nullptr)
    PutAsItIs(options.format->of_all(reporter.results(), ProgramVersion()));
  if (!options.html.empty() && !reporter.results().empty())
    status = std::max(status, DrawProfile(options, jobs.front(), reporter.results().front()));
  if (!options.json.empty()) {
    const Status written = WriteFileAtomically(options.json, JsonReport(reporter.results()));
    if (!written) status = std::max(status, ReportError(written.error()));
  }
  return status;
}

int Check(const CheckOptions& options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  auto submissions = ChooseWhatToCheck(options, *workbook);
  if (!submissions) return ReportError(submissions.error());
  const auto begins = WhereToBegin(options, *submissions);
  // Looking for a card takes its time: not where nothing is going to run.
  const bool nothing_runs = !begins.empty() && begins.front() && !options.all;
  const auto device = nothing_runs && options.device == kAutomaticDevice
                          ? Result<DeviceChoice>(DeviceChoice{})
                          : ChooseCheckDevice(options);
  if (!device) return ReportError(device.error());
  const auto jobs = MakeJobs(options, *device, std::move(*submissions));
  if (!jobs) return ReportError(jobs.error());
  Reporter reporter(options, *jobs);
  if (const Status ran = CheckChosen(options, *jobs, begins, reporter); !ran) return ReportError(ran.error());
  reporter.Summarise();
  reporter.SayWhatComesNext(*workbook);
  return WriteOutputs(options, *jobs, reporter);
}

/// What --speed takes, in the order of the modes below.
OneOf SpeedWords(CheckOptions& options) {
  return {{"auto", "off", "estimate", "rehearse"}, [&options](std::size_t number) {
            constexpr SpeedMode kModes[] = {SpeedMode::kMeasure, SpeedMode::kOff, SpeedMode::kEstimate,
                                            SpeedMode::kRehearse};
            options.speed = kModes[number];
          }};
}

/// What --format takes.
OneOf FormatWords(CheckOptions& options) {
  std::vector<std::string> names;
  for (const ResultFormat& format : kResultFormats) names.emplace_back(format.name);
  return {names, [&options](std::size_t number) { options.format = &kResultFormats[number]; }};
}

std::vector<Option> Describe(CheckOptions& options) {
  return {
      {"WHAT", &options.submissions.what, "Chapters or exercises; default: the one that you are working on"},
      {.name = "--file",
       .target = &options.submissions.file,
       .help = "Check this file instead of the workbook's",
       .value_name = "F.cu"},
      {.name = "--solution",
       .target = &options.submissions.solution,
       .help = "Check the solution's file",
       .excludes = "--file"},
      {"--device", &options.device, "auto, virtual, virtual:PROFILE, gpu or gpu:N; default: auto", "DEVICE"},
      {"--sanitize", &options.sanitize,
       "On a GPU: also show what compute-sanitizer's four tools find; takes minutes, changes no grade"},
      {"--profile", &options.profile, "On a GPU: also show what ncu counts, beside our counts"},
      {"--json", &options.json, "Write the result to F, by docs/result.schema.json", "F"},
      {"--html", &options.html,
       "Draw the run of one exercise as a page, F (`help profile` says what it shows)", "F"},
      {.name = "--seed",
       .target = &options.seed,
       .help = "Make the same inputs as the run that printed this seed",
       .value_name = "N",
       .refuse = RefuseWhatIsNoSeed},
      {"--speed", SpeedWords(options),
       "auto: measured where there is a GPU, else estimated where one exercise is checked; off; estimate: "
       "always where there is none; rehearse: all steps of a measurement on the virtual GPU, where times "
       "mean nothing; default: auto",
       "WHEN"},
      {.name = "--test",
       .target = &options.test,
       .help = "Run one test alone, by its name or a part of its name or title; this is no grade",
       .value_name = "NAME",
       .excludes = "--json"},
      {.name = "--jobs",
       .target = &options.parallel,
       .help = "How many exercises --all checks at the same time; default: one per core",
       .value_name = "N",
       .range = {{1, 1024}}},
      {"--format", FormatWords(options),
       "text; gcc: a line for each place in the source, as compilers write it, for editors; sarif: the same "
       "as a "
       "SARIF 2.1.0 document; default: text",
       "FORMAT"},
      {"--all", &options.all, "Check all exercises named, also after one that does not pass"},
      {"--verbose", &options.verbose,
       "Show every test, finding and count, also by source line, and what compiler and program printed"},
      {"--workbook", &options.layout.root,
       "Folder that holds chapters/; default: the workbook that you are in", "DIR"},
  };
}

constexpr const char* kProfileFooter =
    "Checks the exercise and draws what its kernels did, as one page that opens from disk:\n"
    "\n"
    "  - if the test passed, a sentence about what makes it faster or slower than the baseline;\n"
    "  - if values are wrong, a map of the output, with the formula of the element that you point at, if "
    "one\n"
    "    was found;\n"
    "  - the source, with the cost of each line: warp instructions, active lanes, sectors and bank\n"
    "    conflicts per request. Click a line to see which lane touched which bank or sector, by warp and\n"
    "    phase;\n"
    "  - occupancy, what limits it and what would change it; for floating-point work, a roofline;\n"
    "  - the same figures for your previous version, the baseline and, once you have passed, the solution.\n"
    "\n"
    "The page shows the first test that failed. If all passed, it shows the large size at which speed is\n"
    "estimated; an exercise without one, the test that executed most. --test chooses another.\n"
    "On a GPU it adds what ncu counts.\n"
    "\n"
    "Examples:\n"
    "  warplings profile tiled_matmul             writes tiled_matmul.profile.html\n"
    "  warplings profile --open                   the exercise checked last; opens the page in a browser\n"
    "  warplings profile 05_bank_conflicts/transpose_padded --html p.html --test \"64 x 64\"\n"
    "\n"
    "Exit status: as of check.";

struct ProfileOptions {
  CheckOptions check;
  std::string exercise;
  bool open = false;
};

int DrawOne(ProfileOptions options) {
  const Result<Workbook> workbook = LoadWorkbook(options.check.layout.root, ChosenLanguage());
  if (!workbook) return ReportError(workbook.error());
  const auto chosen = ChosenExercise(*workbook, LoadProgress(ProgressFile()),
                                     LoadWorkbookHistory(WorkbookHistoryFile(options.check.layout.root)),
                                     options.exercise, AfterPass::kStay);
  if (!chosen) return ReportError(chosen.error());
  CheckOptions& check = options.check;
  check.submissions.what = {FullName(**chosen)};
  if (check.html.empty()) check.html = (*chosen)->id + ".profile.html";
  const Result<DeviceChoice> device = ChooseDevice(check.device);
  check.profile = device && !device->watcher.empty();
  const int status = Check(check);
  if (!options.open || !std::filesystem::is_regular_file(check.html)) return status;
  OpenPage(check.html);
  return status;
}

std::vector<Option> DescribeProfile(ProfileOptions& options) {
  return {
      {"EXERCISE", &options.exercise, "Exercise; default: the one checked last, else the next"},
      {"--html", &options.check.html, "File for the page; default: EXERCISE.profile.html in this folder",
       "F"},
      {"--test", &options.check.page_test, "Show this test, by its name or a part of its name or title",
       "TEST"},
      {"--open", &options.open, "Open the page in a browser"},
      {.name = "--file",
       .target = &options.check.submissions.file,
       .help = "Profile this file instead of the workbook's",
       .value_name = "F.cu"},
      {"--device", &options.check.device, "As for check; default: auto", "DEVICE"},
      {.name = "--seed",
       .target = &options.check.seed,
       .help = "Make the same inputs as the run that printed this seed",
       .value_name = "N",
       .refuse = RefuseWhatIsNoSeed},
      {"--workbook", &options.check.layout.root,
       "Folder that holds chapters/; default: the workbook that you are in", "DIR"},
  };
}

}  // namespace

Command MakeProfileCommand() {
  auto options = std::make_shared<ProfileOptions>();
  return {"profile", "Draw what an exercise's kernels did, line by line, as a page",
          DescribeProfile(*options), kProfileFooter,
          [options] { return Supervise([options] { return DrawOne(*options); }); }};
}

Command MakeCheckCommand() {
  auto options = std::make_shared<CheckOptions>();
  return {"check", "Check your solutions and say what to do first", Describe(*options), kCheckFooter,
          [options] { return Supervise([options] { return Check(*options); }); }};
}

}  // namespace warplings
