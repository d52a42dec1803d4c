// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/exercise_result.h"
#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// One check that `warplings verify` makes, with the expected outcome.
struct VerificationRun {
  enum class Kind {
    kStarter,       ///< Must fail exactly the tests that chapter.toml lists.
    kSolution,      ///< Must pass on every profile, without findings or compiler messages.
    kMutant,        ///< Must fail a test, and be recognised as its own misconception and no other.
    kAlternative,   ///< A correct answer of another kind: must pass with all points at several seeds.
    kMutantOnCard,  ///< Must fail on the card alone, unless chapter.toml says why hardware hides it.
  };
  Kind kind = Kind::kStarter;
  const Exercise* exercise = nullptr;
  std::filesystem::path file;
  std::string profile;          ///< "a100", or a card: "gpu:0".
  std::string misconception;    ///< For a mutant: its misconception.
  std::uint64_t seed_step = 0;  ///< Added to the verification's seed.

  /// "starter", "solution on h200", "mutant grid_rounded_down", "mutant chunks at seed + 1", "alternative
  /// float4 at seed + 2".
  std::string Name() const;
};

/// One difference from the expected outcome of a run.
struct Shortcoming {
  VerificationRun run;
  std::string what;
};

/// One sentence each: "alternative float4 at seed + 0, 1, 3 and 1 more file (alone): it fails Add.Ends and 2
/// more tests: line 3". What differs in its numbers only, at another seed, on another profile or in another
/// file, is said once, in the words of the first. The solution's come first, because the rest often follows
/// from them. Many files are counted and not named.
std::vector<std::string> FoldRepeats(std::vector<Shortcoming> all);

/// The tests that each right answer fails, the solution among them: by file, in the suite's order.
using FailedByRight = std::map<std::filesystem::path, std::vector<std::string>>;

/// Whether the test's own reason already says that the suite is at fault, and how.
bool SaysFaultOfSuite(const TestResult& test);

/// Where to look first, if the solution and every other right answer fail the same test: the first such one.
/// Empty if there is none, or if there is one answer only.
std::string SuspectedSuite(const FailedByRight& failed);

/// That neither the starter nor a mutant fails some tests, which may be tests that cannot fail. `of_solution`
/// has all tests; empty if each was failed.
std::vector<std::string> RemindersOfTests(const std::vector<std::string>& of_solution,
                                          const std::vector<std::string>& failed);

/// The limits that a suite holds every call against (BrokenLimits in grader/suite/device_work.h), by name:
/// true if a call of the runs broke this one and did nothing else that is wrong.
using Limits = std::map<std::string, bool>;

/// Takes them out of the facts, among which the suite states them if it is asked to
/// (grader/core/limit_facts.h).
Limits TakeLimits(ExerciseResult& result);

/// Adds the limits of another run. What no wrong answer broke, the solution say, counts for the names only.
void AddLimits(const Limits& of_run, bool is_wrong_answer, Limits& all);

/// That neither the starter nor a mutant breaks some limits alone, which may be limits that no answer with
/// right values can break; empty if each is broken so.
std::vector<std::string> RemindersOfLimits(const Limits& limits);

/// Warp instructions that a right answer should execute in one test at most. The virtual GPU executes 10 to
/// 20 million in a second (docs/virtual_gpu.md, "The watchdog"). So these take half a second at most, a
/// twentieth of a call's limit (grader/suite/call_limits.h), and a busy machine may be as much slower. The
/// workbook's largest test executes 4.1 million (merge_tiles).
inline constexpr std::uint64_t kMostOfATest = 5'000'000;

/// Which test executes the most, as the solution's run shows, and whether that is too much: "the solution's
/// largest test, Add.Ends, executes 1,234 warp instructions". Empty if nothing was launched.
std::string LargestTest(const ExerciseResult& solution);

/// The number of seeds at which an alternative must pass, and a mutant of a limit must fail.
inline constexpr std::uint64_t kAlternativeSeeds = 5;

/// A profile that does not exist is named by file and line, with those that do.
Status CheckProfiles(const Exercise& exercise);

/// In this order: starter, solution on each profile, mutants, and the alternatives, all at one seed before
/// the next. MissingParts reports a missing solution or mutant.
std::vector<VerificationRun> PlanVerification(const Exercise& exercise, const Layout& layout);

/// Of one exercise's runs: starter, the solution on each profile, and `size` of its mutants and as many of
/// its alternatives, these at the first seed only. Which ones follows from `drawn_by`, a commit's hash say.
std::vector<VerificationRun> Sample(const std::vector<VerificationRun>& runs, std::size_t size,
                                    std::string_view drawn_by);

/// The same for a card, "gpu:0": solution and mutants.
std::vector<VerificationRun> PlanCardVerification(const Exercise& exercise, const Layout& layout,
                                                  const std::string& card);

/// The same mutant at further seeds, if all that it breaks is limits: by how much may depend on the inputs
/// that are drawn, and at another seed it may keep them. None for another run.
std::vector<VerificationRun> FurtherSeeds(const VerificationRun& run, const ExerciseResult& result);

/// Differences from the expected outcome, one sentence each; empty if there is none.
std::vector<std::string> Shortcomings(const VerificationRun& run, const ExerciseResult& result);

/// Checks what running does not show: TODOs in the starter and none in the solution, at least three hints and
/// three misconceptions, a mutant for each misconception, points, answers if the exercise asks questions, the
/// starter's checksum, and UnrequiredWork.
/// Returns one sentence for each thing that is missing.
std::vector<std::string> MissingParts(const Exercise& exercise, const Layout& layout);

/// Facts in `told_by` whose name is in no source of the suite, so that it cannot state them, one sentence
/// each; or that the suite registers no function that states facts. Needs no run. None if the suite's source
/// is not in the tree.
std::vector<std::string> UnknownFacts(const Exercise& exercise, const Layout& layout);

/// Mutants that are the solution, but for comments and white space: nobody has planted their mistake.
std::vector<std::string> MutantsLikeSolution(const Exercise& exercise, const Layout& layout);

/// What an exercise should have and can do without: other right answers, its part of the handout. Fails
/// nothing.
std::vector<std::string> Reminders(const Exercise& exercise, const Layout& layout);

/// That the contract promises that the kernel does the work, and the suite does not require it
/// (RequireDeviceWork). A part of MissingParts.
std::vector<std::string> UnrequiredWork(const Exercise& exercise, const Layout& layout);

/// "tests/mutants/01_first/ad.wrong.cu belongs to no exercise; did you mean add?": of a file that StrayFiles
/// lists.
Message SayStray(const Workbook& workbook, const std::string& stray);

/// Mutants whose file name has a misconception that the exercise lacks, one sentence each. Shortcomings says
/// so of mutants that run.
std::vector<std::string> MisnamedMutants(const Exercise& exercise, const Layout& layout);

/// What a chapter should have beside its exercises: the times that the handouts show, drills, its page in
/// each language, its rows in the pages that begin the handouts, and in README.md, and the same exercises,
/// hints and misconceptions in its translations. Fails nothing.
std::vector<std::string> ChapterReminders(const Chapter& chapter, const Layout& layout);

/// The same of all chapters together: README.md's counts, a worked example for each.
std::vector<std::string> WorkbookReminders(const Workbook& workbook, const Layout& layout);

/// Several of these reminders in one line, with the command that prints them all; one alone stays as it is.
std::vector<std::string> InOneLine(const std::vector<std::string>& reminders,
                                   const std::vector<std::string>& chapters);

/// Differences between what the suite grades and what the contract header and chapters/grading.md say, one
/// sentence each.
std::vector<std::string> ContractDifferences(const Exercise& exercise, const Layout& layout);

/// What the suite says of its arrays and cannot mean: FaultsOfInputs and UnknownArrays.
std::vector<std::string> ArrayFaults(const Exercise& exercise, const Layout& layout);

/// Structs of the contract that the suite declares in another way, or knows nothing of.
std::vector<std::string> StructDifferences(const Exercise& exercise, const Layout& layout);

/// Sections of chapters/grading.md that state rules, and no suite grades by them.
std::vector<std::string> UngradedSections(const Workbook& workbook, const Layout& layout);

/// Files in the exercises' folders that belong to no exercise: forgotten, misspelt or left by an editor.
std::vector<std::string> StrayFiles(const Workbook& workbook, const Layout& layout);

/// A mutant and the misconceptions that were recognised in it.
struct ConfusionRow {
  std::string mutant;              ///< The misconception that it demonstrates.
  std::vector<std::string> taken;  ///< The recognised misconceptions.
  std::string killer;              ///< The first test that failed; empty if none did.
  std::string name{};              ///< With its variant: "unguarded.by_shift"; empty if it has none.
};

/// The row of a mutant's run. A suite that is at fault neither kills a mutant nor names it. One that passes
/// is not named, either, whatever facts hold.
ConfusionRow RowOf(const VerificationRun& run, const ExerciseResult& result);

/// The confusion matrix of one exercise: a row per mutant, a column per misconception. "#": the mutant's own
/// misconception was recognised; "X": another one. A perfect suite has entries only on the diagonal.
std::string ConfusionTable(std::span<const MisconceptionText> misconceptions,
                           std::span<const ConfusionRow> rows);

}  // namespace warplings
