// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "grader/authoring/handout_input.h"
#include "grader/authoring/verification.h"
#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/progress_line.h"
#include "grader/cli/seed_option.h"
#include "grader/cli/supervise.h"
#include "grader/cli/typed_name.h"
#include "grader/core/limit_facts.h"
#include "grader/messages/authoring.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/check_many.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/terminal_report.h"

namespace warplings {
namespace {

constexpr const char* kVerifyFooter =
    "Tests the exercises themselves, for authors:\n"
    "\n"
    "  - each starter fails exactly the tests that chapter.toml lists;\n"
    "  - each solution passes on every profile listed there, without a finding;\n"
    "  - each mutant is killed by a test, and diagnosed as its own misconception only; one that only\n"
    "    breaks a limit is killed with five seeds;\n"
    "  - each file in tests/alternatives/ gets full points, with five seeds; below four it reminds you;\n"
    "  - each starter's checksum is listed;\n"
    "  - each report fits on a screen of 80 columns.\n"
    "\n"
    "Builds only the suites of these exercises. Prints how many warp instructions the solution's largest "
    "test\n"
    "executes, and says so if a right answer runs out of time.\n"
    "\n"
    "Examples:\n"
    "  warplings verify                      everything\n"
    "  warplings verify tiled_matmul         one exercise\n"
    "  warplings verify --sample 2           two mutants and two alternatives of each exercise\n"
    "\n"
    "Exit status: 0 all is as it must be; 1 something is not; 2 wrong usage; 3 the grader itself failed.";

struct VerifyOptions {
  std::vector<std::string> what;
  std::size_t parallel = DefaultJobs();
  std::uint64_t seed = 1;
  std::size_t sample = 0;  ///< Mutants and alternatives of each exercise; 0 for all.
  std::string drawn_by;    ///< Which these are follows from it.
  std::string device;      ///< A card; "" for the virtual GPU and all the rest.
  Layout layout = ThisLayout();
};

Result<std::vector<const Exercise*>> ChosenExercises(const Workbook& workbook,
                                                     const std::vector<std::string>& what) {
  std::vector<const Exercise*> chosen;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (what.empty()) chosen.push_back(&exercise);
    }
  }
  for (const std::string& name : what) {
    const auto found = SelectExercises(workbook, name);
    if (!found) return found.error();
    for (const Exercise* exercise : *found) {
      if (std::ranges::count(chosen, exercise) == 0) chosen.push_back(exercise);
    }
  }
  return chosen;
}

/// What has been seen of one exercise, printed when its last run is in.
struct ExerciseReport {
  std::size_t runs = 0, passed = 0, mutants = 0, killed = 0, named = 0;
  std::set<std::filesystem::path> alternatives;
  FailedByRight failed_by_right;
  std::vector<std::string> tests;   ///< All, as the solution shows them.
  std::string largest_test;         ///< How much it computes; from the solution's first run.
  std::vector<std::string> failed;  ///< By the starter or a mutant, or by a fault of the suite.
  bool has_fault_of_suite = false;
  Limits limits;
  std::vector<Shortcoming> of_runs;
  std::vector<std::string> problems;  ///< All, once the last run is in.
  std::vector<ConfusionRow> confusion;
};

/// What a student sees of it has to fit a terminal of 80 columns.
std::vector<std::string> TooLargeReports(const ExerciseResult& result) {
  constexpr std::size_t kColumns = 80;
  std::istringstream report(
      TerminalReport(result, {.colour = false, .columns = kColumns, .detail = Detail::kScreen}));
  std::size_t lines = 0, widest = 0;
  for (std::string line; std::getline(report, line); ++lines) widest = std::max(widest, DisplayWidth(line));
  std::vector<std::string> problems;
  // A mark behind every template (answers_marked, verify_marked) makes lines longer.
  if (lines > kScreenLines && TemplateMark().empty()) {
    problems.push_back("its report has " + Counted(lines, "line") + ", and at most " +
                       std::to_string(kScreenLines) + " fit a screen");
  }
  if (widest > kColumns) problems.push_back("its report is " + Counted(widest, "column") + " wide");
  return problems;
}

void NoteTests(ExerciseReport& report, const VerificationRun& run, const ExerciseResult& result) {
  using Kind = VerificationRun::Kind;
  if (run.kind == Kind::kSolution && report.largest_test.empty()) report.largest_test = LargestTest(result);
  const bool is_right = run.kind == Kind::kSolution || run.kind == Kind::kAlternative;
  if (is_right) {
    std::vector<std::string>& failed = report.failed_by_right[run.file];
    for (const TestResult& test : result.tests) {
      if (HasFailed(test) && !SaysFaultOfSuite(test) && std::ranges::count(failed, test.name) == 0)
        failed.push_back(test.name);
    }
  }
  for (const TestResult& test : result.tests) {
    if (run.kind == Kind::kSolution && std::ranges::count(report.tests, test.name) == 0)
      report.tests.push_back(test.name);
    const bool is_wrong_answer = run.kind == Kind::kStarter || run.kind == Kind::kMutant;
    // Of a test that is at fault nobody knows what it would find.
    const bool is_at_fault = test.verdict == Verdict::kGraderFault || SaysFaultOfSuite(test);
    report.has_fault_of_suite |= is_at_fault;
    if (is_at_fault || (is_wrong_answer && HasFailed(test))) report.failed.push_back(test.name);
  }
}

void AddRun(ExerciseReport& report, const VerificationRun& run, ExerciseResult result) {
  using Kind = VerificationRun::Kind;
  AddLimits(TakeLimits(result), run.kind == Kind::kStarter || run.kind == Kind::kMutant, report.limits);
  std::vector<std::string> problems = Shortcomings(run, result);
  std::ranges::move(TooLargeReports(result), std::back_inserter(problems));
  ++report.runs;
  report.passed += problems.empty();
  for (std::string& problem : problems) report.of_runs.push_back({run, std::move(problem)});
  if (run.kind == VerificationRun::Kind::kAlternative) report.alternatives.insert(run.file);
  NoteTests(report, run, result);
  if (run.misconception.empty() || run.seed_step > 0) return;
  ConfusionRow row = RowOf(run, result);
  ++report.mutants;
  report.killed += !row.killer.empty();
  report.named += row.taken == std::vector<std::string>{run.misconception};
  report.confusion.push_back(std::move(row));
}

void Print(const Exercise& exercise, const ExerciseReport& report,
           const std::vector<std::string>& reminders) {
  const Message runs =
      say::runs_of_exercise(FullName(exercise), report.passed, report.runs, report.named, report.mutants,
                            say::Count(report.alternatives.size(), "other right answer"));
  std::printf("%s  %s\n", report.problems.empty() ? "ok  " : "FAIL", Words(runs).c_str());
  for (const std::string& problem : report.problems) {
    std::printf("%s\n", Wrap(problem, 110, 6).c_str());
  }
  for (const std::string& each : reminders) std::printf("%s\n", Wrap("note: " + each, 110, 6).c_str());
  if (!report.confusion.empty()) {
    std::fputs(ConfusionTable(exercise.misconceptions, report.confusion).c_str(), stdout);
  }
  std::fflush(stdout);
}

using Runs = std::vector<VerificationRun>;

struct Plan {
  Runs runs;
  std::vector<CheckJob> jobs;
};

Result<CheckJob> JobOf(const VerificationRun& run, const DeviceChoice& device, std::uint64_t seed) {
  Submission submission;
  submission.exercise = run.exercise;
  submission.file = run.file;
  submission.display_name = DisplayPath(run.file);
  Result<std::string> source = ReadSubmission(run.file);
  if (!source) return source.error();
  submission.source = std::move(*source);
  submission.answers = ReadAnswers(*run.exercise, run.file);
  const bool card_decides = run.kind == VerificationRun::Kind::kMutantOnCard;
  return CheckJob{std::move(submission), {.device = device, .card_decides = card_decides, .seed = seed}};
}

/// Adds a run to the plan.
Status Add(VerificationRun run, const DeviceChoice& device, std::uint64_t seed, Plan& plan) {
  Result<CheckJob> job = JobOf(run, device, seed + run.seed_step);
  if (!job) return job.error();
  plan.jobs.push_back(std::move(*job));
  plan.runs.push_back(std::move(run));
  return Unit{};
}

/// Starter, solution and mutants as chapter.toml says, or solution and mutants on the card.
Result<Plan> MakePlan(const std::vector<const Exercise*>& exercises, const VerifyOptions& options) {
  const auto card =
      options.device.empty() ? Result<DeviceChoice>(DeviceChoice{}) : ChooseDevice(options.device);
  if (!card) return card.error();
  if (!options.device.empty() && card->watcher.empty()) {
    return UsageError(say::device_is_no_card(options.device), say::profiles_stand_in_chapter());
  }
  Plan plan;
  for (const Exercise* exercise : exercises) {
    const bool on_card = !options.device.empty();
    if (Status known = CheckProfiles(*exercise); !known) return known.error();
    std::vector<VerificationRun> runs = on_card ? PlanCardVerification(*exercise, options.layout, card->spec)
                                                : PlanVerification(*exercise, options.layout);
    if (options.sample > 0) runs = Sample(runs, options.sample, options.drawn_by);
    for (VerificationRun& run : runs) {
      const auto device = on_card ? card : ChooseDevice("virtual:" + run.profile);
      if (!device) return device.error();
      if (Status added = Add(std::move(run), *device, options.seed, plan); !added) return added.error();
    }
  }
  return plan;
}

using Reports = std::map<const Exercise*, ExerciseReport>;

/// Adds what the sources show to what the runs have shown, and prints all.
void Complete(const Exercise& exercise, const VerifyOptions& options, ExerciseReport& report) {
  report.problems = FoldRepeats(report.of_runs);
  if (std::string suspected = SuspectedSuite(report.failed_by_right); !suspected.empty())
    report.problems.insert(report.problems.begin(), std::move(suspected));
  std::vector<std::string> reminders;
  const auto add = [](std::vector<std::string> more, std::vector<std::string>& all) {
    std::ranges::move(more, std::back_inserter(all));
  };
  if (options.device.empty()) {
    reminders = Reminders(exercise, options.layout);
    if (!report.largest_test.empty()) reminders.push_back(report.largest_test);
    // A sample of the mutants says nothing.
    if (options.sample == 0) {
      add(RemindersOfTests(report.tests, report.failed), reminders);
      if (!report.has_fault_of_suite) add(RemindersOfLimits(report.limits), reminders);
    }
    add(MissingParts(exercise, options.layout), report.problems);
    add(UnknownFacts(exercise, options.layout), report.problems);
    add(MutantsLikeSolution(exercise, options.layout), report.problems);
    add(ContractDifferences(exercise, options.layout), report.problems);
    add(ArrayFaults(exercise, options.layout), report.problems);
    add(StructDifferences(exercise, options.layout), report.problems);
  }
  Print(exercise, report, reminders);
}

/// Runs the plan and completes each exercise when its last run is in. Returns the further runs that the
/// results ask for; their exercises are not complete.
Plan RunPlan(const Plan& plan, const VerifyOptions& options, LineNowAndThen& of_log, Reports& reports) {
  ProgressLine line;
  std::size_t done = 0;
  Plan further;
  const auto show = [&](std::size_t job, const Message& what) {
    const VerificationRun& run = plan.runs[job];
    line.Show(Words(
        say::progress_of_verify(done, plan.jobs.size(), run.exercise->id, say::of_run(run.Name(), what))));
  };
  const auto take = [&](std::size_t job, const Result<ExerciseResult>& result) {
    const VerificationRun& run = plan.runs[job];
    ExerciseReport& report = reports[run.exercise];
    ++done;
    if (of_log.IsDue()) std::fprintf(stderr, "%s\n", Words(say::runs_done(done, plan.jobs.size())).c_str());
    if (result) {
      AddRun(report, run, *result);
      // A sample is run at the first seed only.
      for (VerificationRun& each : options.sample == 0 ? FurtherSeeds(run, *result) : Runs{}) {
        const DeviceChoice& device = plan.jobs[job].settings.device;
        if (Status added = Add(each, device, options.seed, further); !added)
          report.of_runs.push_back({each, English(added.error().message)});
      }
    } else {
      report.of_runs.push_back({run, English(result.error().message)});
    }
    if (job + 1 < plan.runs.size() && plan.runs[job + 1].exercise == run.exercise) return;
    if (std::ranges::count(further.runs, run.exercise, &VerificationRun::exercise) > 0) return;
    line.Clear();
    Complete(*run.exercise, options, report);
  };
  const auto warn = [&](std::size_t job, const Message& what) {
    line.Clear();
    Warn(say::of_run(plan.runs[job].Name(), what));
  };
  CheckMany(plan.jobs, options.parallel, options.layout,
            {.on_progress = show, .on_slow = warn, .on_result = take});
  return further;
}

/// Of exercises whose mutants do not all run now: the others' own lines say it.
std::vector<std::string> OtherMisnamedMutants(const Workbook& workbook,
                                              const std::vector<const Exercise*>& chosen,
                                              const VerifyOptions& options) {
  std::vector<std::string> misnamed;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      const bool all_run = options.sample == 0 && options.device.empty();
      if (all_run && std::ranges::count(chosen, &exercise) > 0) continue;
      std::ranges::move(MisnamedMutants(exercise, options.layout), std::back_inserter(misnamed));
    }
  }
  return misnamed;
}

/// Of single exercises only how many there are: an author verifies one often, and chapters seldom.
void PrintRemindersOfChapters(const Workbook& workbook, const std::vector<const Exercise*>& chosen,
                              const std::vector<std::string>& what, const Layout& layout) {
  std::vector<std::string> reminders, chapters;
  bool has_chapter = what.empty();
  for (const Chapter& chapter : workbook.chapters) {
    const bool is_chosen = std::ranges::any_of(
        chosen, [&](const Exercise* exercise) { return exercise->chapter == chapter.id; });
    if (!is_chosen) continue;
    chapters.push_back(chapter.id);
    const auto is_named = [&](const std::string& name) {
      const auto found = SelectExercises(workbook, name);
      return found && found->size() == chapter.exercises.size() && found->front()->chapter == chapter.id;
    };
    has_chapter |= std::ranges::any_of(what, is_named);
    std::ranges::move(ChapterReminders(chapter, layout), std::back_inserter(reminders));
  }
  std::ranges::move(WorkbookReminders(workbook, layout), std::back_inserter(reminders));
  if (!has_chapter) reminders = InOneLine(reminders, chapters);
  for (const std::string& each : reminders)
    std::printf("note  %s", Wrap(AsTyped(each), 110, 6).substr(6).c_str());
}

int Verify(const VerifyOptions& options) {
  if (Status needed = NeedSourceTree("verify"); !needed) return ReportError(needed.error());
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  const auto exercises = ChosenExercises(*workbook, options.what);
  if (!exercises) return ReportError(exercises.error());
  const Result<Plan> plan = MakePlan(*exercises, options);
  if (!plan) return ReportError(plan.error());
  // The launcher asks, before it builds what a change in chapters/ makes out of date.
  if (std::getenv("WARPLINGS_ONLY_READ") != nullptr) return kExitPassed;
  if (const Status built = BuildSuites(*exercises, options.layout); !built) return ReportError(built.error());

  ::setenv(kStateLimits, "1", 1);
  Reports reports;
  LineNowAndThen of_log;
  for (Plan rest = *plan; !rest.jobs.empty();) rest = RunPlan(rest, options, of_log, reports);
  ExerciseReport total;
  for (const auto& [exercise, report] : reports) {
    total.runs += report.runs;
    total.passed += report.passed;
    total.mutants += report.mutants;
    total.killed += report.killed;
    total.named += report.named;
    total.problems.insert(total.problems.end(), report.problems.begin(), report.problems.end());
  }
  std::vector<std::string> strays = StrayFiles(*workbook, options.layout);
  // Only if all suites are built.
  if (options.what.empty())
    std::ranges::move(UngradedSections(*workbook, options.layout), std::back_inserter(strays));
  for (const std::string& stray : strays)
    std::printf("FAIL  %s\n", Words(SayStray(*workbook, stray)).c_str());
  std::vector<std::string> missing = MissingHandouts(*workbook, options.layout);
  std::ranges::move(OtherMisnamedMutants(*workbook, *exercises, options), std::back_inserter(missing));
  for (const std::string& each : missing) std::printf("FAIL  %s\n", each.c_str());
  if (options.device.empty()) PrintRemindersOfChapters(*workbook, *exercises, options.what, options.layout);
  std::puts("");
  PrintLine(say::all_runs(say::Count(exercises->size(), "exercise"), say::Count(total.mutants, "mutant"),
                          total.killed, total.named, total.passed, total.runs));
  return total.problems.empty() && strays.empty() && missing.empty() ? kExitPassed : kExitNotPassed;
}

std::vector<Option> Describe(VerifyOptions& options) {
  return {
      {"WHAT", &options.what, "Chapters or exercises; default: all"},
      {.name = "--jobs",
       .target = &options.parallel,
       .help = "Runs at the same time; default: one per core",
       .value_name = "N",
       .range = {{1, 1024}}},
      {.name = "--seed",
       .target = &options.seed,
       .help = "Seed of the inputs; default: 1",
       .value_name = "N",
       .refuse = RefuseWhatIsNoSeed},
      {.name = "--sample",
       .target = &options.sample,
       .help = "Only N mutants and N alternatives of each exercise; default: all",
       .value_name = "N",
       .range = {{1, 1000}}},
      {"--drawn-by", &options.drawn_by, "Text that chooses the sample, such as a commit's hash", "TEXT"},
      {"--device", &options.device,
       "gpu or gpu:N: test that solutions pass on this GPU, and that each mutant fails there, or that "
       "chapter.toml says why hardware hides it; default: the virtual GPU",
       "DEVICE"},
      {"--workbook", &options.layout.root,
       "Folder that holds chapters/, solutions/, tests/mutants/ and tests/alternatives/; default: this "
       "workbook",
       "DIR"},
  };
}

}  // namespace

Command MakeVerifyCommand() {
  auto options = std::make_shared<VerifyOptions>();
  return {"verify", TeachingHelp("verify"), Describe(*options), kVerifyFooter,
          [options] { return Supervise([options] { return Verify(*options); }); }};
}

}  // namespace warplings
