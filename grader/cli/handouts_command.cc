// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "grader/authoring/handout_input.h"
#include "grader/base/atomic_file.h"
#include "grader/base/catalogue.h"
#include "grader/base/language.h"
#include "grader/base/read_file.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/graded_class.h"
#include "grader/cli/open_page.h"
#include "grader/cli/progress_line.h"
#include "grader/cli/supervise.h"
#include "grader/cli/workbook_command.h"
#include "grader/core/json.h"
#include "grader/gradebook/gather_grades.h"
#include "grader/messages/check_faults.h"
#include "grader/messages/class.h"
#include "grader/messages/command_line.h"
#include "grader/messages/teaching_commands.h"
#include "grader/pipeline/check_many.h"
#include "grader/pipeline/original_file.h"
#include "grader/pipeline/result_cache.h"
#include "grader/pipeline/run_program.h"
#include "grader/pipeline/suite_programs.h"
#include "grader/pipeline/workbook_view.h"
#include "grader/report/terminal_report.h"
#include "grader/workbook/student_workbook.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHandoutsFooter =
    "Builds the chapters' handouts as web pages that need no network, and as PDF if Chromium is\n"
    "installed.\n"
    "\n"
    "--open shows the pages in your language as soon as they are there, then builds those in the other\n"
    "languages. Where the pages came with the program, it opens those at once. It prints PDFs only with\n"
    "--paper.\n"
    "\n"
    "Examples:\n"
    "  warplings handouts --open              all chapters; opens the index in a browser\n"
    "  warplings handouts 5 --instructor      chapter 5 with answers, misconceptions and teaching notes\n"
    "  warplings handouts --lang zh_Hant      in Traditional Chinese only\n"
    "\n"
    "Exit status: 0 done; 2 wrong usage; 3 they could not be built.";

struct HandoutOptions {
  std::vector<std::string> what;
  fs::path out, for_pip;  ///< for_pip: of an edition whose readers type `warplings`; empty: none.
  std::string gradebook;  ///< Folder of a graded class; empty: none.
  std::string language;   ///< Empty: all there are.
  std::string command;    ///< How the pages call this program; empty: as it is called here.
  std::string paper;      ///< Empty: both; none if the pages are opened.
  bool instructor = false, open = false;
  bool strict = false;  ///< A sample that fails is an error; otherwise the pages do without it.
  std::size_t parallel = DefaultJobs();
  Layout layout = ThisLayout();

  std::vector<std::string> Languages() const {
    return language.empty() ? HandoutLanguages(layout) : std::vector<std::string>{language};
  }
};

Result<std::vector<const Chapter*>> ChosenChapters(const Workbook& workbook,
                                                   const std::vector<std::string>& what) {
  std::vector<const Chapter*> chosen;
  for (const Chapter& chapter : workbook.chapters) {
    if (what.empty()) chosen.push_back(&chapter);
  }
  for (const std::string& name : what) {
    const auto exercises = SelectExercises(workbook, name);
    if (!exercises) return exercises.error();
    for (const Chapter& chapter : workbook.chapters) {
      const bool named = std::ranges::any_of(*exercises, [&](auto* e) { return e->chapter == chapter.id; });
      if (named && std::ranges::count(chosen, &chapter) == 0) chosen.push_back(&chapter);
    }
  }
  return chosen;
}

/// As it was handed out: the workbook's own file may be solved or half written.
Result<fs::path> CopyOfStarter(const fs::path& starter, const Layout& layout) {
  const auto text = OriginalText(layout.root, starter);
  if (!text) return text.error();
  // Supervise gave us a temporary folder of our own.
  fs::path copy = fs::temp_directory_path() / starter.filename();
  if (Status written = WriteFileAtomically(copy, *text); !written) return written.error();
  return copy;
}

/// The file is called as a student would call it, because the report shows its name.
Result<CheckJob> JobOf(const HandoutSample& sample, const Layout& layout) {
  Submission submission;
  submission.exercise = sample.exercise;
  submission.file = sample.file;
  submission.display_name = sample.exercise->id + ".cu";
  if (sample.file == sample.exercise->starter) {
    auto copy = CopyOfStarter(sample.file, layout);
    if (!copy) return copy.error();
    submission.file = std::move(*copy);
  }
  auto source = ReadSubmission(submission.file);
  if (!source) return source.error();
  submission.source = std::move(*source);
  submission.answers = ReadAnswers(*sample.exercise, submission.file);
  const auto device = ChooseDevice("virtual:" + sample.profile);
  if (!device) return device.error();
  constexpr std::uint64_t kSeed = 1;  // The same figures each time.
  return CheckJob{std::move(submission), {.device = *device, .seed = kSeed}};
}

constexpr TerminalStyle kReportStyle{.colour = false, .columns = 92, .detail = Detail::kFull};

std::vector<std::string> Papers(const HandoutOptions& options) {
  // Whoever opens the pages wants to read them now, and printing takes longer than all the rest.
  const std::string paper = !options.paper.empty() ? options.paper : options.open ? "none" : "both";
  if (paper == "both") return {"A4", "Letter"};
  if (paper == "none") return {};
  return {paper};
}

/// By the samples' ids.
using SampleResults = std::map<std::string, ExerciseResult>;

/// Checks the samples. A result is kept and shown again in the next builds, as long as nothing changes that
/// decides it.
Result<SampleResults> RunSamples(const std::vector<HandoutSample>& samples, const HandoutOptions& options) {
  std::vector<const Exercise*> exercises;
  for (const HandoutSample& sample : samples) {
    if (std::ranges::count(exercises, sample.exercise) == 0) exercises.push_back(sample.exercise);
  }
  // What judges them, in one build.
  if (const Status built = BuildSuites(exercises, options.layout); !built) return built.error();

  struct Pending {
    std::string id, key;  ///< Of the sample; of its result.
  };
  std::vector<CheckJob> jobs;
  std::vector<Pending> pending;  // By job.
  SampleResults results;
  const auto leave_out = [&results](const std::string& id, const Message& why) {
    results.erase(id);
    Warn(say::sample_did_not_run(id, why));
  };
  const ResultCache kept(DefaultResultFolder());
  for (const HandoutSample& sample : samples) {
    auto job = JobOf(sample, options.layout);
    if (!job && options.strict) return job.error();
    if (!job) {
      leave_out(sample.id, job.error().message);
      continue;
    }
    std::string key = CacheKeyOf(*job, options.layout);
    auto result = kept.Find(key);
    if (!results.emplace(sample.id, result.value_or(ExerciseResult{})).second)
      return UsageError(say::two_samples(sample.id));
    if (result) {
      results[sample.id].source = std::move(job->submission.source);  // A kept result is without it.
    } else {
      jobs.push_back(std::move(*job));
      pending.push_back({sample.id, std::move(key)});
    }
  }

  // A minute in which nothing is said looks like a fault, most of all where there is no terminal for the
  // progress.
  constexpr double kSecondsEach = 1.7;  // One sample on one core.
  if (jobs.size() > 1) {
    const double seconds = kSecondsEach * static_cast<double>(jobs.size()) /
                           static_cast<double>(std::max<std::size_t>(1, options.parallel));
    const auto rounded = std::lround(seconds);
    std::fprintf(stderr, "%s\n",
                 Words(Papers(options).empty() ? say::samples_take_time(jobs.size(), rounded)
                                               : say::samples_take_time_before_pdfs(jobs.size(), rounded))
                     .c_str());
  }
  std::optional<Error> fault;
  ProgressLine line;
  std::size_t done = samples.size() - jobs.size();
  LineNowAndThen of_log;
  const auto show = [&](std::size_t job, const Message& what) {
    line.Show(Words(say::progress_of_samples(done, samples.size(), pending[job].id, what)));
  };
  const auto take = [&](std::size_t job, const Result<ExerciseResult>& result) {
    const auto& [id, key] = pending[job];
    ++done;
    if (of_log.IsDue()) std::fprintf(stderr, "%s\n", Words(say::samples_done(done, samples.size())).c_str());
    if (result && !result->tests.empty() && result->verdict != Verdict::kGraderFault) {
      kept.Insert(key, *result);
      results[id] = *result;
      return;
    }
    const Message why = result ? result->reason : result.error().message;
    if (!options.strict) {
      line.Clear();
      leave_out(id, why);
    } else {
      fault = result ? GraderError(say::sample_did_not_run(id, why)) : result.error();
    }
  };
  CheckMany(jobs, options.parallel, options.layout, {.on_progress = show, .on_result = take});
  line.Clear();
  if (fault) return *fault;
  return results;
}

/// From here on the texts of this process are in `language`. Without a message file they are in English, as a
/// student's report is, too.
Status Speak(const std::string& language, const Layout& layout) {
  const fs::path file = language == kEnglish ? fs::path() : layout.MessageFile(language);
  auto catalogue = Catalogue::Parse(ReadFile(file).value_or(""), file.string());
  if (!catalogue) return catalogue.error();
  UseCatalogue(std::move(*catalogue));
  return Unit{};
}

/// The result with the titles and misconceptions of `workbook`, which is in another language.
ExerciseResult InWordsOf(const Workbook& workbook, ExerciseResult result) {
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.chapter != result.chapter || exercise.id != result.exercise) continue;
      result.title = exercise.title;
      if (result.speed && exercise.speed) result.speed->baseline = exercise.speed->baseline;
      for (Misconception& each : result.misconceptions) {
        const auto text = std::ranges::find(exercise.misconceptions, each.id, &MisconceptionText::id);
        if (text == exercise.misconceptions.end()) continue;
        each.title = text->title;
        each.message = text->message;
      }
    }
  }
  return result;
}

/// {"id": {"result": ..., "reports": {"en": the text that a student sees, ...}}, ...}
Result<nlohmann::json> SamplesInput(const SampleResults& results, std::vector<std::string> languages,
                                    const HandoutOptions& options) {
  nlohmann::json input = nlohmann::json::object();
  for (const auto& [id, result] : results) input[id]["result"] = result;
  // In English, too: pages in a language that has no text for a chapter yet quote that report.
  if (std::ranges::count(languages, kEnglish) == 0) languages.emplace_back(kEnglish);
  for (const std::string& language : languages) {
    const Result<Workbook> workbook = LoadWorkbook(options.layout.root, language);
    if (!workbook) return workbook.error();
    if (Status spoken = Speak(language, options.layout); !spoken) return spoken.error();
    for (const auto& [id, result] : results) {
      input[id]["reports"][language] = TerminalReport(InWordsOf(*workbook, result), kReportStyle);
    }
  }
  if (Status spoken = Speak(ChosenLanguage(), options.layout); !spoken) return spoken.error();
  return input;
}

/// Pages that are built together.
struct Pass {
  std::vector<std::string> languages, papers;
};

/// One pass; or, if the pages are to be opened, first those that the reader reads, and then what else there
/// is.
std::vector<Pass> PassesOf(const HandoutOptions& options) {
  const std::vector<std::string> languages = options.Languages(), papers = Papers(options);
  if (!options.open) return {{languages, papers}};
  const bool has_chosen = std::ranges::count(languages, ChosenLanguage()) > 0;
  const std::string readers = has_chosen ? ChosenLanguage() : languages.front();
  std::vector<Pass> passes = {{{readers}, {}}};
  std::vector<std::string> others = languages;
  std::erase(others, readers);
  // The pages that are printed lead to their PDFs, so they are written once more.
  if (!papers.empty())
    passes.push_back({languages, papers});
  else if (!others.empty())
    passes.push_back({others, {}});
  return passes;
}

const char* StateName(ExerciseState state) {
  switch (state) {
    case ExerciseState::kOpen: return "open";
    case ExerciseState::kPassed: return "passed";
    case ExerciseState::kChanged:
    case ExerciseState::kBroken: return "changed";
  }
  return "open";
}

/// What has been solved in the workbook that the user works in: the index of a students' version ticks it
/// off. Of pages for others (`--command`) that is nothing.
void AddProgress(const Workbook& workbook, bool is_for_others, nlohmann::json& contents) {
  std::map<std::string, ExerciseState> states;
  if (!is_for_others) {
    const Progress progress = LoadProgress(ProgressFile());
    const Result<Workbook> own = LoadWorkbook(CurrentWorkbook());
    for (const Chapter& chapter : own ? own->chapters : std::vector<Chapter>()) {
      for (const Exercise& exercise : chapter.exercises)
        states[FullName(exercise)] = StateOf(exercise, progress);
    }
  }
  for (std::size_t i = 0; i < workbook.chapters.size(); ++i) {
    const std::vector<Exercise>& exercises = workbook.chapters[i].exercises;
    for (std::size_t k = 0; k < exercises.size(); ++k) {
      const auto state = states.find(FullName(exercises[k]));
      contents[i]["exercises"][k]["state"] =
          StateName(state != states.end() ? state->second : ExerciseState::kOpen);
    }
  }
}

/// Of the class that was named; nothing where none was.
Result<std::optional<ClassGrades>> NamedGrades(const Workbook& workbook, const HandoutOptions& options) {
  if (options.gradebook.empty()) return std::optional<ClassGrades>();
  // A term's folder holds several, of which only one's class is shown.
  const auto folders = FindGradedFolders(options.gradebook);
  if (!folders) return folders.error();
  if (folders->size() > 1) {
    std::vector<std::string> names;
    for (const fs::path& each : *folders) names.push_back(each.string());
    return UsageError(
        say::several_graded_folders(options.gradebook, say::Count(names.size(), "graded folder")),
        say::name_one_of_folders(Joined(names, ", ")));
  }
  const auto opened = OpenGradedClass(folders->front());
  if (!opened) return opened.error();
  auto grades = GatherGrades(opened->gradebook, workbook);
  if (!grades) return grades.error();
  return std::optional<ClassGrades>(std::move(*grades));
}

/// What the pages of one language show of the chapters: contents, titles, hints.
Status AddChapters(const std::string& language, const std::vector<const Chapter*>& chosen,
                   const HandoutOptions& options, const std::optional<ClassGrades>& grades,
                   nlohmann::json& input) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root, language);
  if (!workbook) return workbook.error();
  auto contents = HandoutContents(*workbook, options.layout);
  if (!contents) return contents.error();
  AddProgress(*workbook, !options.command.empty(), *contents);
  input["contents"][language] = std::move(*contents);
  for (const Chapter& chapter : workbook->chapters) {
    if (std::ranges::count(chosen, chapter.id, &Chapter::id) == 0) continue;
    const auto drills = LoadDrills(options.layout.root, chapter.id, language);
    if (!drills) return drills.error();
    auto json = HandoutChapter(chapter, *drills, options.instructor);
    if (!json) return json.error();
    if (grades) AddFrequencies(*grades, *json);
    input["chapters"][language].push_back(std::move(*json));
  }
  return Unit{};
}

/// What a reader of the pages types.
std::string CommandOf(const HandoutOptions& options) {
  if (!options.command.empty()) return options.command;
  return ThisLayout().is_installed ? CommandInWorkbook(CurrentWorkbook()) : "./warplings";
}

/// Everything that the pages show and this program knows.
Result<nlohmann::json> MakeInput(const std::vector<const Chapter*>& chapters, const SampleResults& results,
                                 const std::optional<ClassGrades>& grades, const Pass& pass,
                                 const HandoutOptions& options) {
  // Each page leads to the same page in the languages of all passes.
  nlohmann::json input = {{"instructor", options.instructor},
                          {"papers", pass.papers},
                          {"building", options.Languages()},
                          {"command", CommandOf(options)}};
  if (!options.for_pip.empty()) {
    input["also"] =
        nlohmann::json::array({{{"out", fs::absolute(options.for_pip).string()}, {"command", "warplings"}}});
  }
  for (const std::string& language : pass.languages) {
    if (Status added = AddChapters(language, chapters, options, grades, input); !added) return added.error();
  }
  auto checked = SamplesInput(results, pass.languages, options);
  if (!checked) return checked.error();
  input["samples"] = std::move(*checked);
  input["strict"] = options.strict;
  // The holes are filled there.
  input["left_out"] = {{"report", Words(say::report_left_out("{file}", "{name}"))},
                       {"page", Words(say::page_left_out("{file}", "{name}"))}};
  input["progress"] = {{"drawing", Words(say::progress_of_drawing("{n}", "{m}"))},
                       {"printing", Words(say::progress_of_printing("{n}", "{m}", "{name}"))},
                       {"before_printing", Words(say::printing_takes_time("{n}", "{seconds}"))}};
  const fs::path kept = DefaultResultFolder();
  input["kept_pdfs"] = kept.empty() ? std::string() : (kept.parent_path() / "pdfs").string();
  return input;
}

/// Says where the pages are, and shows them where that was wanted: after the first pass.
void Present(std::size_t chapters, const HandoutOptions& options) {
  const fs::path index = PageToRead(options.out, "index.html", options.Languages());
  PrintLine(say::handouts_in(say::Count(chapters, "handout"), DisplayPath(index)));
  std::fflush(stdout);
  if (options.open) OpenPage(index.string());
}

/// Whether the file is in both folders and the same.
bool IsSameFile(const fs::path& name, const fs::path& folder, const fs::path& other) {
  const auto text = ReadFile(folder / name), others = ReadFile(other / name);
  return text && others && *text == *others;
}

/// Whoever types `handouts --open` wants to read now. The pages that came with the program lie ready; to
/// build them anew takes minutes where no sample has run yet, and would add only which exercises are solved.
bool CanShowPacked(const HandoutOptions& options, bool has_own_folder) {
  const bool asks_for_more = options.instructor || has_own_folder || !options.what.empty() ||
                             !options.language.empty() || !options.paper.empty() ||
                             !options.command.empty() || !options.for_pip.empty() || options.strict;
  if (!options.open || asks_for_more || !options.layout.is_installed) return false;
  const fs::path packed = options.layout.PackedHandoutFolder() / "students";
  std::error_code fault;
  if (!fs::exists(packed / "index.html", fault) || CommandOf(options) != "warplings") return false;
  // Pages that were built here are not replaced by others.
  return !fs::exists(options.out / "index.html", fault) || IsSameFile("index.html", packed, options.out);
}

Status ShowPacked(const Workbook& workbook, const HandoutOptions& options) {
  const fs::path packed = options.layout.PackedHandoutFolder() / "students";
  std::error_code fault;
  fs::copy(packed, options.out, fs::copy_options::recursive | fs::copy_options::overwrite_existing, fault);
  if (fault) return UsageError(say::cannot_copy(packed.string(), options.out.string(), fault.message()));
  Present(workbook.chapters.size(), options);
  PrintLine(say::handouts_came_with("warplings handouts"));
  return Unit{};
}

Status Build(const Workbook& workbook, const std::vector<const Chapter*>& chapters,
             const HandoutOptions& options) {
  const auto grades = NamedGrades(workbook, options);
  if (!grades) return grades.error();
  const auto samples = ReadHandoutSamples(options.layout, workbook, chapters);
  if (!samples) return samples.error();
  const auto results = RunSamples(*samples, options);
  if (!results) return results.error();
  // Supervise gave us a temporary folder of our own.
  const fs::path input_file = fs::temp_directory_path() / "handouts.json";
  const fs::path facts_file = fs::temp_directory_path() / "facts.json";
  const auto status = RunProgram({options.layout.HandoutFactsProgram().string(), facts_file.string()});
  if (!status) return status.error();
  if (*status != 0) return GraderError(say::no_figures_facts(), say::reason_stands_above());

  const std::vector<Pass> passes = PassesOf(options);
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto input = MakeInput(chapters, *results, *grades, passes[i], options);
    if (!input) return input.error();
    if (Status written = WriteFileAtomically(input_file, input->dump()); !written) return written;
    const Status built = RunPageScript(options.layout, options.layout.HandoutFolder() / "build.py",
                                       {input_file.string(), facts_file.string(), options.out.string()});
    if (!built) return built;
    if (i > 0) continue;
    Present(chapters.size(), options);
    if (passes.size() == 1) continue;
    PrintLine(passes[1].papers.empty() ? say::other_languages_follow() : say::pdfs_follow());
    std::fflush(stdout);
  }
  return Unit{};
}

int Handouts(HandoutOptions options) {
  const Result<Workbook> workbook = LoadWorkbook(options.layout.root);
  if (!workbook) return ReportError(workbook.error());
  const auto chapters = ChosenChapters(*workbook, options.what);
  if (!chapters) return ReportError(chapters.error());
  const std::vector<std::string> languages = HandoutLanguages(options.layout);
  if (!options.language.empty() && std::ranges::count(languages, options.language) == 0) {
    return ReportError(
        UsageError(say::no_handouts_in_language(options.language), say::how_to_add_language()));
  }
  if (!options.gradebook.empty() && !options.instructor) {
    return ReportError(UsageError(say::gradebook_is_instructors(), say::add_instructor()));
  }
  const bool has_own_folder = !options.out.empty();
  if (!has_own_folder) {
    options.out = FolderOfBuiltHandouts(options.layout) / (options.instructor ? "instructor" : "students");
  }
  for (const fs::path& folder : {options.out, options.for_pip}) {
    std::error_code fault;
    if (!folder.empty()) fs::create_directories(folder, fault);
    if (fault) return ReportError(UsageError(say::cannot_make_folder(folder.string(), fault.message())));
  }
  const Status built = CanShowPacked(options, has_own_folder) ? ShowPacked(*workbook, options)
                                                              : Build(*workbook, *chapters, options);
  return built ? kExitPassed : ReportError(built.error());
}

OneOf PaperNames(HandoutOptions& options) {
  const std::vector<std::string> names = {"A4", "Letter", "both", "none"};
  return {names, [names, &options](std::size_t number) { options.paper = names[number]; }};
}

std::vector<Option> Describe(HandoutOptions& options) {
  return {
      {"WHAT", &options.what, "Chapters; default: all"},
      {"--instructor", &options.instructor, "Add answers, misconceptions and teaching notes"},
      {"--gradebook", &options.gradebook,
       "Show how many students of this graded class met each misconception", "OUT"},
      {"--open", &options.open, "Open the index in a browser"},
      {"--out", &options.out,
       "Folder for the pages; default: build/handouts/students or instructor (installed: handouts/)", "DIR"},
      {"--lang", &options.language, "Language, a folder of handouts/text: en or zh_Hant; default: all", "L"},
      {"--paper", PaperNames(options),
       "PDF for A4, Letter, both (default) or none (default with --open); needs Chromium", "P"},
      {"--command", &options.command,
       "What the pages tell to type for this program; default: what works here", "WORD"},
      {"--for-pip", &options.for_pip,
       "Also build them in this folder for those who install with pip, and type warplings", "DIR"},
      {"--strict", &options.strict, "Fail if a sample fails; default: the pages leave it out"},
      {.name = "--jobs",
       .target = &options.parallel,
       .help = "Checks at the same time; default: one per core",
       .value_name = "N",
       .range = {{1, 1024}}},
  };
}

}  // namespace

Command MakeHandoutsCommand() {
  auto options = std::make_shared<HandoutOptions>();
  return {"handouts", TeachingHelp("handouts"), Describe(*options), kHandoutsFooter,
          [options] { return Supervise([options] { return Handouts(*options); }); }};
}

}  // namespace warplings
