// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>
#include <set>

#include "grader/authoring/graded.h"
#include "grader/authoring/handout_input.h"
#include "grader/authoring/verification.h"
#include "grader/base/read_file.h"
#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/device/device_profile.h"
#include "grader/messages/teaching_commands.h"
#include "grader/messages/toml.h"
#include "grader/workbook/laid_down.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

bool Contains(const fs::path& file, const std::string& word) {
  return ReadFile(file).value_or("").find(word) != std::string::npos;
}

/// "grid_rounded_down" of "tiled_matmul.grid_rounded_down.cu" and of its variants
/// "tiled_matmul.grid_rounded_down.by_shift.cu"; "" where the file is no mutant of the exercise.
std::string MisconceptionOf(const std::string& file, const std::string& exercise) {
  if (!file.starts_with(exercise + ".")) return "";
  const std::size_t start = exercise.size() + 1;
  const std::size_t end = file.find('.', start);
  return end == std::string::npos ? "" : file.substr(start, end - start);
}

/// File names in a folder, sorted; none where there is no such folder. Hidden files are left out: editors
/// and version control keep theirs there.
std::vector<std::string> Names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(".")) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

struct MutantFile {
  fs::path path;
  std::string misconception;
};

std::vector<MutantFile> Mutants(const Exercise& exercise, const Layout& layout) {
  std::vector<MutantFile> mutants;
  const fs::path folder = layout.MutantFolder(exercise.chapter);
  for (const std::string& name : Names(folder)) {
    const std::string misconception = MisconceptionOf(name, exercise.id);
    if (!misconception.empty() && name.ends_with(".cu")) mutants.push_back({folder / name, misconception});
  }
  return mutants;
}

/// Right answers of all exercises that differ from the solutions: EXERCISE.NAME.cu.
fs::path AlternativeFolder(const Layout& layout) {
  return layout.root / "tests" / "alternatives";
}

/// Those of one exercise, in the order of their names.
std::vector<fs::path> Alternatives(const Exercise& exercise, const Layout& layout) {
  std::vector<fs::path> files;
  for (const std::string& name : Names(AlternativeFolder(layout))) {
    if (name.starts_with(exercise.id + ".") && name.ends_with(".cu")) {
      files.push_back(AlternativeFolder(layout) / name);
    }
  }
  return files;
}

/// What a student gets to write in, as far as it is there.
std::vector<fs::path> StartersOf(const Exercise& exercise) {
  std::vector<fs::path> files = {exercise.starter};
  const fs::path answers = fs::path(exercise.starter).replace_extension(".toml");
  if (exercise.has_answers && fs::exists(answers)) files.push_back(answers);
  return files;
}

/// Every file that belongs to an exercise, relative to the tree's root.
void AddOwnFiles(const Exercise& exercise, const Layout& layout, std::set<fs::path>& own) {
  const fs::path chapter = fs::path("chapters") / exercise.chapter;
  const fs::path solution = fs::path("solutions") / exercise.chapter;
  own.insert({chapter / (exercise.id + ".cu"), chapter / (exercise.id + ".h"), chapter / "chapter.toml",
              chapter / "drills.toml", solution / (exercise.id + ".cu")});
  for (const std::string& language : Languages()) {
    if (language == kEnglish) continue;
    own.insert({chapter / ("chapter." + language + ".toml"), chapter / ("drills." + language + ".toml")});
  }
  if (exercise.speed) own.insert(fs::path("reference/baselines") / exercise.chapter / (exercise.id + ".cu"));
  if (exercise.has_answers)
    own.insert({chapter / (exercise.id + ".toml"), solution / (exercise.id + ".toml")});
  for (const MutantFile& mutant : Mutants(exercise, layout)) {
    // MisnamedMutants names those of no misconception.
    fs::path file = mutant.path.lexically_relative(layout.root);
    own.insert(file);
    if (exercise.has_answers) own.insert(file.replace_extension(".toml"));
  }
  for (const fs::path& alternative : Alternatives(exercise, layout)) {
    fs::path file = alternative.lexically_relative(layout.root);
    own.insert(file);
    if (exercise.has_answers) own.insert(file.replace_extension(".toml"));
  }
}

}  // namespace

Status CheckProfiles(const Exercise& exercise) {
  std::vector<std::string> known;
  for (const DeviceProfile& profile : DeviceProfiles()) known.push_back(profile.id);
  for (const std::string& profile : exercise.profiles) {
    if (FindDeviceProfile(profile) != nullptr) continue;
    const Message what = WithClosest(say::must_be_one_of(profile, Joined(known, ", ")), profile, known);
    return UsageError(
        say::key_of_file("chapters/" + exercise.chapter + "/chapter.toml",
                         static_cast<std::size_t>(exercise.profiles_line), "exercise.profiles", what),
        say::correct_line_of_chapter());
  }
  return Unit{};
}

std::vector<VerificationRun> PlanVerification(const Exercise& exercise, const Layout& layout) {
  using Kind = VerificationRun::Kind;
  const std::string first = exercise.profiles.front();
  std::vector<VerificationRun> runs = {{Kind::kStarter, &exercise, exercise.starter, first, ""}};
  if (!exercise.solution.empty()) {
    for (const std::string& profile : exercise.profiles) {
      runs.push_back({Kind::kSolution, &exercise, exercise.solution, profile, ""});
    }
  }
  for (const MutantFile& mutant : Mutants(exercise, layout)) {
    runs.push_back({Kind::kMutant, &exercise, mutant.path, first, mutant.misconception});
  }
  // Seed by seed: the second finds what the first compiled.
  for (std::uint64_t step = 0; step < kAlternativeSeeds; ++step) {
    for (const fs::path& file : Alternatives(exercise, layout)) {
      runs.push_back({Kind::kAlternative, &exercise, file, first, "", step});
    }
  }
  return runs;
}

std::vector<VerificationRun> Sample(const std::vector<VerificationRun>& runs, std::size_t size,
                                    std::string_view drawn_by) {
  using Kind = VerificationRun::Kind;
  std::seed_seq seed(drawn_by.begin(), drawn_by.end());
  std::mt19937 generator(seed);
  std::vector<VerificationRun> sample;
  const auto draw = [&](Kind kind, std::size_t most) {
    std::vector<VerificationRun> of_kind;
    std::ranges::copy_if(runs, std::back_inserter(of_kind),
                         [&](const VerificationRun& run) { return run.kind == kind && run.seed_step == 0; });
    std::ranges::sample(of_kind, std::back_inserter(sample), static_cast<std::ptrdiff_t>(most), generator);
  };
  draw(Kind::kStarter, runs.size());
  draw(Kind::kSolution, runs.size());
  for (const Kind kind : {Kind::kMutant, Kind::kAlternative, Kind::kMutantOnCard}) draw(kind, size);
  return sample;
}

std::vector<VerificationRun> PlanCardVerification(const Exercise& exercise, const Layout& layout,
                                                  const std::string& card) {
  using Kind = VerificationRun::Kind;
  std::vector<VerificationRun> runs;
  if (!exercise.solution.empty()) {
    runs.push_back({Kind::kSolution, &exercise, exercise.solution, card, ""});
  }
  for (const MutantFile& mutant : Mutants(exercise, layout)) {
    runs.push_back({Kind::kMutantOnCard, &exercise, mutant.path, card, mutant.misconception});
  }
  return runs;
}

std::vector<std::string> Reminders(const Exercise& exercise, const Layout& layout) {
  constexpr std::size_t kAtLeast = 4;
  std::vector<std::string> reminders;
  const std::size_t there = Alternatives(exercise, layout).size();
  if (there < kAtLeast) {
    reminders.push_back("tests/alternatives/ has " + Counted(there, "right answer") +
                        " besides the solution; write at least " + std::to_string(kAtLeast));
  }
  std::ranges::move(HandoutsWithout(exercise, layout), std::back_inserter(reminders));
  // That a suite cannot be asked, ContractDifferences says.
  const Result<SuiteArrays> arrays = ArraysOfSuite(layout.SuiteProgram(exercise.chapter, exercise.id));
  if (!arrays) return reminders;
  std::ranges::move(RemindersOfInputs(arrays->inputs), std::back_inserter(reminders));
  if (const auto again = ArraysOfSuite(layout.SuiteProgram(exercise.chapter, exercise.id)))
    std::ranges::move(RemindersOfDrawing(arrays->inputs, again->inputs), std::back_inserter(reminders));
  const fs::path suite = fs::path("tests/suites") / exercise.chapter / (exercise.id + "_suite.cc");
  std::ranges::move(RemindersOfClocks(suite.string(), ReadFile(layout.root / suite).value_or("")),
                    std::back_inserter(reminders));
  const std::string page = ReadFile(layout.root / kGradingPage).value_or("");
  std::ranges::move(RemindersOfOutputs(arrays->outputs, page), std::back_inserter(reminders));
  const Result<SuiteGrading> graded = GradedInSuite(layout.SuiteProgram(exercise.chapter, exercise.id));
  if (!graded) return reminders;
  std::ranges::move(RemindersOfSections(exercise.id, exercise.speed.has_value(), *graded, page),
                    std::back_inserter(reminders));
  return reminders;
}

std::vector<std::string> MissingParts(const Exercise& exercise, const Layout& layout) {
  constexpr std::size_t kAtLeast = 3;
  std::vector<std::string> missing;
  const auto need = [&missing](bool there, const std::string& what) {
    if (!there) missing.push_back(what);
  };
  need(Contains(exercise.starter, "TODO"), "the starter has no TODO");
  need(!exercise.solution.empty(),
       "there is no solution: write solutions/" + exercise.chapter + "/" + exercise.id + ".cu");
  if (!exercise.solution.empty()) need(!Contains(exercise.solution, "TODO"), "the solution has a TODO left");
  need(exercise.hints.size() >= kAtLeast, "it has fewer than 3 hints");
  need(exercise.misconceptions.size() >= kAtLeast, "it has fewer than 3 misconceptions");
  need(exercise.points > 0, "it earns no points");
  if (exercise.has_answers) {
    const fs::path answers = fs::path(exercise.starter).replace_extension(".toml");
    need(fs::exists(answers), "it asks for answers, and its starter has no " + answers.filename().string());
  }
  if (exercise.speed) need(fs::exists(exercise.baseline), "its speed is graded, and it has no baseline");
  const std::vector<MutantFile> mutants = Mutants(exercise, layout);
  for (const MisconceptionText& text : exercise.misconceptions) {
    need(std::ranges::count(mutants, text.id, &MutantFile::misconception) > 0,
         "no mutant holds the misconception " + text.id);
  }
  for (const fs::path& file : StartersOf(exercise)) {
    const std::string path = file.lexically_relative(layout.root).string();
    need(StarterListHas(layout.root, path, HashOfText(ReadFile(file).value_or(""))),
         std::string(kStarterList) + " lacks this starter's checksum: run grader/authoring/list_starters " +
             path);
  }
  std::ranges::move(UnrequiredWork(exercise, layout), std::back_inserter(missing));
  return missing;
}

std::vector<std::string> MisnamedMutants(const Exercise& exercise, const Layout& layout) {
  std::vector<std::string> known, misnamed;
  for (const MisconceptionText& text : exercise.misconceptions) known.push_back(text.id);
  for (const MutantFile& mutant : Mutants(exercise, layout)) {
    if (std::ranges::count(known, mutant.misconception) > 0) continue;
    const std::string meant = ClosestCandidate(mutant.misconception, known);
    misnamed.push_back(mutant.path.lexically_relative(layout.root).string() + ": " + exercise.id +
                       " has no misconception " + mutant.misconception +
                       (meant.empty() ? "" : "; did you mean " + meant + "?"));
  }
  return misnamed;
}

std::vector<std::string> ContractDifferences(const Exercise& exercise, const Layout& layout) {
  const auto graded = GradedInSuite(layout.SuiteProgram(exercise.chapter, exercise.id));
  if (!graded) return {English(graded.error().message)};
  const fs::path header = fs::path(exercise.starter).replace_extension(".h");
  return DifferencesInGrading(exercise.id, GradedInHeader(ReadFile(header).value_or("")),
                              GradedInPage(ReadFile(layout.root / kGradingPage).value_or("")), *graded);
}

std::vector<std::string> ArrayFaults(const Exercise& exercise, const Layout& layout) {
  const Result<SuiteArrays> arrays = ArraysOfSuite(layout.SuiteProgram(exercise.chapter, exercise.id));
  if (!arrays) return {};  // ContractDifferences says so.
  const fs::path suite = fs::path("tests/suites") / exercise.chapter / (exercise.id + "_suite.cc");
  std::vector<std::string> faults = FaultsOfInputs(arrays->inputs);
  std::ranges::move(UnknownArrays(suite.string(), ReadFile(layout.root / suite).value_or(""), *arrays),
                    std::back_inserter(faults));
  return faults;
}

std::vector<std::string> UngradedSections(const Workbook& workbook, const Layout& layout) {
  std::set<std::string> graded;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      graded.insert(exercise.id);
      const auto suite = GradedInSuite(layout.SuiteProgram(exercise.chapter, exercise.id));
      if (!suite) continue;  // ContractDifferences says so.
      for (const auto& [title, sentences] : suite->shared) graded.insert(title);
    }
  }
  std::vector<std::string> ungraded;
  for (const auto& [title, sentences] : GradedInPage(ReadFile(layout.root / kGradingPage).value_or(""))) {
    if (!graded.contains(title)) ungraded.push_back(SectionOfPage(title));
  }
  return ungraded;
}

Message SayStray(const Workbook& workbook, const std::string& stray) {
  const std::string name = fs::path(stray).filename().string();
  const std::string begin = name.substr(0, name.find('.'));
  std::vector<std::string> ids;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) ids.push_back(exercise.id);
  }
  const Message said = say::belongs_to_no_exercise(stray);
  // The exercise is named right, and something else in the name is not.
  return std::ranges::count(ids, begin) > 0 ? said : WithClosest(said, begin, ids);
}

std::vector<std::string> StrayFiles(const Workbook& workbook, const Layout& layout) {
  std::set<fs::path> own;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) AddOwnFiles(exercise, layout, own);
  }
  std::vector<std::string> strays;
  for (const char* room : {"chapters", "solutions", "tests/mutants", "reference/baselines"}) {
    for (const std::string& chapter : Names(layout.root / room)) {
      const fs::path folder = fs::path(room) / chapter;
      if (!fs::is_directory(layout.root / folder) && folder != fs::path(kGradingPage))
        strays.push_back(folder.string());
      for (const std::string& name : Names(layout.root / folder)) {
        if (!own.contains(folder / name)) strays.push_back((folder / name).string());
      }
    }
  }
  for (const std::string& name : Names(AlternativeFolder(layout))) {
    const fs::path file = AlternativeFolder(layout).lexically_relative(layout.root) / name;
    const bool is_answer = name.ends_with(".cu") || name.ends_with(".toml");
    if (is_answer && !own.contains(file)) strays.push_back(file.string());
  }
  return strays;
}

}  // namespace warplings
