// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/verification.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "grader/base/spelling.h"
#include "grader/base/text.h"
#include "grader/core/limit_facts.h"
#include "grader/messages/host_code.h"

namespace warplings {
namespace {

/// Those of `all` that `known` lacks.
std::vector<std::string> Without(const std::vector<std::string>& all, const std::vector<std::string>& known) {
  std::vector<std::string> rest;
  std::ranges::copy_if(all, std::back_inserter(rest),
                       [&](const std::string& each) { return std::ranges::count(known, each) == 0; });
  return rest;
}

std::vector<std::string> FailedTests(const ExerciseResult& result) {
  std::vector<std::string> names;
  for (const TestResult& test : result.tests) {
    if (test.verdict != Verdict::kPassed) names.push_back(test.name);
  }
  return names;
}

std::vector<std::string> Ids(const ExerciseResult& result) {
  std::vector<std::string> ids;
  for (const Misconception& each : result.misconceptions) ids.push_back(each.id);
  return ids;
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string meant = ClosestCandidate(word, candidates);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

/// Without its digits: sizes and elements are drawn from the seed.
std::string WithoutNumbers(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return text;
}

using Problems = std::vector<std::string>;

/// More files with one shortcoming are counted only: it is the suite's, more likely than theirs.
constexpr std::size_t kMostFilesNamed = 4;

/// Nothing else can be said of a file that never ran.
bool DidNotRun(const ExerciseResult& result, Problems& problems) {
  if (!result.tests.empty()) return false;
  problems.push_back("it did not run: " + std::string(VerdictName(result.verdict)) + ", " +
                     English(result.reason));
  return true;
}

/// The tests that `is_meant` picks, those with the same reason but for its numbers in one sentence: "`begin`
/// Add.Ends and 2 more tests: line 3".
template <class IsMeant>
void AddTests(const ExerciseResult& result, const std::string& begin, const IsMeant& is_meant,
              Problems& problems) {
  std::vector<const TestResult*> firsts;
  std::vector<std::size_t> more;
  for (const TestResult& test : result.tests) {
    if (!is_meant(test)) continue;
    const auto same = std::ranges::find_if(firsts, [&](const TestResult* first) {
      return WithoutNumbers(English(first->reason)) == WithoutNumbers(English(test.reason));
    });
    if (same == firsts.end()) {
      firsts.push_back(&test);
      more.push_back(0);
    } else {
      ++more[static_cast<std::size_t>(same - firsts.begin())];
    }
  }
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    const std::string others = more[i] == 0 ? "" : " and " + Counted(more[i], "more test");
    problems.push_back(begin + firsts[i]->name + others + ": " + English(firsts[i]->reason));
  }
}

bool IsFaultOfGrader(const TestResult& test) {
  return test.verdict == Verdict::kGraderFault;
}

bool HasNotPassed(const TestResult& test) {
  return test.verdict != Verdict::kPassed;
}

/// A warning in a header, of the contract say, has its file: the line alone would be looked for in the
/// answer.
void AddDiagnostics(const VerificationRun& run, const ExerciseResult& result, Problems& problems) {
  for (const Diagnostic& diagnostic : result.diagnostics) {
    const std::filesystem::path file = diagnostic.where.file;
    const bool is_elsewhere = !file.empty() && file.filename() != run.file.filename();
    problems.push_back("the compiler complains " + (is_elsewhere ? "about " + file.string() + ", " : "in ") +
                       "line " + std::to_string(diagnostic.where.line) + ": " + English(diagnostic.message));
  }
}

void JudgeStarter(const VerificationRun& run, const ExerciseResult& result, Problems& problems) {
  AddDiagnostics(run, result, problems);
  const std::vector<std::string> failed = FailedTests(result);
  std::vector<std::string> there;
  for (const TestResult& test : result.tests) there.push_back(test.name);
  for (const std::string& name : Without(run.exercise->starter_fails, there)) {
    problems.push_back("starter_fails lists " + name + ", which is no test of the suite" +
                       DidYouMean(name, there));
  }
  const auto passes =
      Without(Without(run.exercise->starter_fails, failed), Without(run.exercise->starter_fails, there));
  const auto fails = Without(failed, run.exercise->starter_fails);
  if (!passes.empty()) problems.push_back("it passes tests that it is to fail: " + Joined(passes, ", "));
  if (!fails.empty())
    problems.push_back("it fails tests that chapter.toml does not list: " + Joined(fails, ", "));
  const bool says_what_to_do = !result.misconceptions.empty() || !result.next_step.empty();
  if (!failed.empty() && !says_what_to_do) problems.push_back("its report does not say what to do first");
}

/// A test that fails costs the points, so they are told only if every test passes.
void AddPoints(const ExerciseResult& result, Problems& problems) {
  if (result.points != result.max_points && FailedTests(result).empty())
    problems.push_back("it does not get all points");
}

/// Of tests that pass: a failed test's reason says what was found. What several tests find is told once.
void AddFindings(const ExerciseResult& result, Problems& problems) {
  std::vector<std::string> names, found;
  std::vector<std::size_t> more;
  for (const TestResult& test : result.tests) {
    if (HasNotPassed(test)) continue;
    for (const Finding& finding : test.findings) {
      std::string what = ", line " + std::to_string(finding.where.line) + ": " + English(finding.message);
      const auto same = std::ranges::find(found, WithoutNumbers(what), WithoutNumbers);
      if (same != found.end()) {
        ++more[static_cast<std::size_t>(same - found.begin())];
        continue;
      }
      names.push_back(test.name);
      found.push_back(std::move(what));
      more.push_back(0);
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string others = more[i] == 0 ? "" : " and " + std::to_string(more[i]) + " more";
    problems.push_back("a finding in " + names[i] + others + found[i]);
  }
}

std::uint64_t WarpInstructions(const TestResult& test) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : test.launches) sum += launch.totals.warp_instructions;
  return sum;
}

/// Of a right answer: perhaps the suite's test is too large. Of several tests the one that executed most.
void AddTimeLimits(const ExerciseResult& result, Problems& problems) {
  const TestResult* largest = nullptr;
  std::size_t count = 0;
  for (const TestResult& test : result.tests) {
    if (test.verdict != Verdict::kTimeLimit) continue;
    ++count;
    if (largest == nullptr || WarpInstructions(test) > WarpInstructions(*largest)) largest = &test;
  }
  if (largest != nullptr) {
    const std::uint64_t executed = WarpInstructions(*largest);
    const std::string others = count == 1 ? "" : " and " + Counted(count - 1, "more test");
    problems.push_back(largest->name + others + " ran out of time" +
                       (executed == 0 ? ""
                                      : "; the launches recorded until then executed " +
                                            WithThousands(executed) + " warp instructions") +
                       ". A right answer should need at most " + WithThousands(kMostOfATest) +
                       " in one test: if its loops end, make the test's input smaller, or look whether the "
                       "budget that the suite passes to Call is too small");
  }
}

/// By how much the solution's first wrong value differs: by a rounding error if a bound is too narrow, by
/// more if the reference is wrong.
void AddWrongValue(const std::string& exercise, const ExerciseResult& result, Problems& problems) {
  const auto first = std::ranges::find_if(
      result.tests, [](const TestResult& test) { return HasNotPassed(test) && !test.wrong.empty(); });
  if (first == result.tests.end()) return;
  const WrongElement& wrong = first->wrong.front();
  problems.push_back(English(wrong.where) + " is " + English(wrong.actual) + ", and the reference has " +
                     English(wrong.expected) + (wrong.note.empty() ? "" : " (" + English(wrong.note) + ")") +
                     ". `./warplings check " + exercise + " --solution` shows more");
}

void JudgeSolution(const VerificationRun& run, const ExerciseResult& result, Problems& problems) {
  AddDiagnostics(run, result, problems);
  AddTests(result, "it fails ", HasNotPassed, problems);
  AddWrongValue(run.exercise->id, result, problems);
  AddTimeLimits(result, problems);
  AddFindings(result, problems);
  if (!result.misconceptions.empty()) problems.push_back("it is taken for " + Joined(Ids(result), ", "));
  AddPoints(result, problems);
}

/// Warnings of the compiler and findings that are no errors are its author's own business.
void JudgeAlternative(const ExerciseResult& result, Problems& problems) {
  AddTests(result, "it fails ", HasNotPassed, problems);
  AddTimeLimits(result, problems);
  if (!result.misconceptions.empty()) problems.push_back("it is taken for " + Joined(Ids(result), ", "));
  AddPoints(result, problems);
}

/// "; it fails Add.Ends first: line 3: reads in[4], but in has 4 elements".
std::string FirstFailure(const ExerciseResult& result) {
  const auto first = std::ranges::find_if(result.tests, HasNotPassed);
  return first == result.tests.end() ? "" : "; it fails " + first->name + " first: " + English(first->reason);
}

/// Why no misconception is recognised in a mutant: of the facts that tell of its own, none was stated. How it
/// fails says which fact the suite could state.
std::string UnstatedFacts(const MisconceptionText& own, const ExerciseResult& result) {
  std::vector<std::string> stated;
  for (const Fact& fact : result.facts.value_or(std::vector<Fact>{})) stated.push_back(fact.id);
  const std::vector<std::string> never = Without(own.told_by, stated);
  if (never.size() < own.told_by.size()) return "";
  if (stated.empty())
    return ": it is told by " + Joined(own.told_by, ", ") + ", and none of the suite's facts holds" +
           FirstFailure(result);
  std::string text = ": the suite states no fact " + Joined(never, ", ") + " (told_by)";
  for (const std::string& fact : never) {
    if (const std::string meant = DidYouMean(fact, stated); !meant.empty()) return text + meant;
  }
  return text + "; it states " + Joined(stated, ", ") + FirstFailure(result);
}

/// Which fact, stated of which test, led to a misconception that is not the mutant's.
std::string LeadingFact(const std::vector<MisconceptionText>& known, const std::string& id,
                        const ExerciseResult& result) {
  const auto text = std::ranges::find(known, id, &MisconceptionText::id);
  if (text == known.end() || !result.facts) return "";
  const auto fact = std::ranges::find_if(
      *result.facts, [&](const Fact& each) { return std::ranges::count(text->told_by, each.id) > 0; });
  if (fact == result.facts->end()) return "";
  std::string words = ": the suite states " + fact->id + " (" + English(fact->message) + ")";
  // A message that names no test has those that the misconception explains.
  const auto taken = std::ranges::find(result.misconceptions, id, &Misconception::id);
  if (taken != result.misconceptions.end() && taken->tests && !taken->tests->empty())
    words += ", which explains " + taken->tests->front();
  return words;
}

/// Of an answer that passes: what was found fails no test. ". It has a warning, …: line 7: …"; "" without
/// one.
std::string FirstWarning(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (finding.severity == Severity::kWarning)
        return ". It has a warning, and warnings fail no test: line " + std::to_string(finding.where.line) +
               ": " + English(finding.message);
    }
  }
  return "";
}

void JudgeMutant(const VerificationRun& run, const ExerciseResult& result, Problems& problems) {
  const std::vector<MisconceptionText>& known = run.exercise->misconceptions;
  const auto own = std::ranges::find(known, run.misconception, &MisconceptionText::id);
  if (own == known.end()) {
    std::vector<std::string> all;
    for (const MisconceptionText& each : known) all.push_back(each.id);
    problems.push_back("chapter.toml has no misconception " + run.misconception +
                       DidYouMean(run.misconception, all));
    return;
  }
  if (FailedTests(result).empty()) {
    // Facts tell of failing tests.
    problems.push_back(
        run.seed_step == 0
            ? "no test kills it: all tests pass. Either no test looks for this mistake, or a bound or "
              "limit in the suite is too wide, or nvcc has removed it, as it moves a load out of a "
              "loop that stores nothing" +
                  FirstWarning(result)
            : "no test kills it, although one does at the first seed: whether it breaks the "
              "limit depends on the inputs that are drawn. Let an input of fixed size break "
              "it, or make the mutant exceed the limit by more");
    return;
  }
  if (run.seed_step > 0) return;
  const std::vector<std::string> ids = Ids(result);
  if (ids.empty()) problems.push_back("no misconception is recognised" + UnstatedFacts(*own, result));
  const auto others = Without(ids, {run.misconception});
  for (const std::string& other : others) {
    problems.push_back("it is taken for " + other + LeadingFact(known, other, result));
  }
  if (!ids.empty() && others.size() == ids.size()) problems.push_back("it is not taken for what it is");
}

/// Names are the watcher's business: they rest on findings that a card does not have.
void JudgeMutantOnCard(const VerificationRun& run, const ExerciseResult& result, Problems& problems) {
  if (!FailedTests(result).empty()) return;
  const auto text =
      std::ranges::find(run.exercise->misconceptions, run.misconception, &MisconceptionText::id);
  if (text == run.exercise->misconceptions.end() || text->hidden_on_gpu.empty()) {
    problems.push_back("no test kills it on the card, and chapter.toml does not say why (hidden_on_gpu)");
  }
}

}  // namespace

std::string VerificationRun::Name() const {
  switch (kind) {
    case Kind::kStarter: return "starter";
    case Kind::kSolution: return "solution on " + profile;
    case Kind::kMutant:
      return "mutant " + file.stem().string() +
             (seed_step == 0 ? "" : " at seed + " + std::to_string(seed_step));
    case Kind::kAlternative:
      return "alternative " + file.stem().string() + " at seed + " + std::to_string(seed_step);
    case Kind::kMutantOnCard: return "mutant " + file.stem().string() + " on " + profile;
  }
  return "";
}

std::vector<VerificationRun> FurtherSeeds(const VerificationRun& run, const ExerciseResult& result) {
  if (run.kind != VerificationRun::Kind::kMutant || run.seed_step > 0) return {};
  const bool has_failed = std::ranges::any_of(result.tests, HasNotPassed);
  const bool by_limits = std::ranges::all_of(result.tests, [](const TestResult& test) {
    return !HasNotPassed(test) || (test.verdict == Verdict::kWrongResult && test.wrong_count == 0);
  });
  if (!has_failed || !by_limits) return {};
  std::vector<VerificationRun> runs;
  for (std::uint64_t step = 1; step < kAlternativeSeeds; ++step) {
    runs.push_back(run);
    runs.back().seed_step = step;
  }
  return runs;
}

std::vector<std::string> Shortcomings(const VerificationRun& run, const ExerciseResult& result) {
  Problems problems;
  if (DidNotRun(result, problems)) return problems;
  AddTests(result, "", IsFaultOfGrader, problems);
  // As long as the suite is at fault, the rest says nothing of the answer.
  if (!problems.empty()) return problems;
  switch (run.kind) {
    case VerificationRun::Kind::kStarter: JudgeStarter(run, result, problems); break;
    case VerificationRun::Kind::kSolution: JudgeSolution(run, result, problems); break;
    case VerificationRun::Kind::kMutant: JudgeMutant(run, result, problems); break;
    case VerificationRun::Kind::kAlternative: JudgeAlternative(result, problems); break;
    case VerificationRun::Kind::kMutantOnCard: JudgeMutantOnCard(run, result, problems); break;
  }
  return problems;
}

ConfusionRow RowOf(const VerificationRun& run, const ExerciseResult& result) {
  ConfusionRow row{run.misconception, {}, ""};
  row.name = run.file.stem().string().substr(run.exercise->id.size() + 1);
  if (std::ranges::any_of(result.tests, IsFaultOfGrader)) return row;
  const auto killer = std::ranges::find_if(result.tests, HasNotPassed);
  if (killer == result.tests.end()) return row;
  row.killer = killer->name;
  row.taken = Ids(result);
  return row;
}

std::vector<std::string> FoldRepeats(std::vector<Shortcoming> all) {
  std::ranges::stable_partition(
      all, [](const Shortcoming& each) { return each.run.kind == VerificationRun::Kind::kSolution; });
  std::vector<std::string> folded;
  std::vector<bool> said(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (said[i]) continue;
    const VerificationRun& one = all[i].run;
    std::string name = one.Name();
    std::vector<std::string> files;
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      const VerificationRun& other = all[j].run;
      if (said[j] || WithoutNumbers(all[i].what) != WithoutNumbers(all[j].what)) continue;
      said[j] = true;
      const std::string file =
          other.kind == VerificationRun::Kind::kStarter ? other.Name() : other.file.stem().string();
      if (one.kind != other.kind || one.file != other.file) {
        if (std::ranges::count(files, file) == 0) files.push_back(file);
        continue;
      }
      if (one.seed_step != other.seed_step) name += ", " + std::to_string(other.seed_step);
      if (one.profile != other.profile) name += ", " + other.profile;
    }
    if (!files.empty()) name += " and " + Counted(files.size(), "more file");
    if (!files.empty() && files.size() <= kMostFilesNamed) name += " (" + Joined(files, ", ") + ")";
    folded.push_back(name + ": " + all[i].what);
  }
  return folded;
}

bool SaysFaultOfSuite(const TestResult& test) {
  return IsFaultOfGrader(test) || test.reason.Mentions(say::other_number_of_arguments.id);
}

std::string SuspectedSuite(const FailedByRight& failed) {
  if (failed.size() < 2) return "";
  for (const std::string& test : failed.begin()->second) {
    const auto fails = [&](const auto& each) { return std::ranges::count(each.second, test) > 0; };
    if (!std::ranges::all_of(failed, fails)) continue;
    return "the solution and all other right answers fail " + test +
           ": look at the suite first. Are the values that it expects right, are its limits wide enough, and "
           "does the contract allow each input, those of OtherElements, too?";
  }
  return "";
}

std::vector<std::string> RemindersOfTests(const std::vector<std::string>& of_solution,
                                          const std::vector<std::string>& failed) {
  const std::vector<std::string> never = Without(of_solution, failed);
  if (never.empty()) return {};
  return {"neither the starter nor a mutant fails " + Joined(never, ", ") + ": can " +
          (never.size() == 1 ? "this test" : "these tests") + " fail?"};
}

std::vector<std::string> InOneLine(const std::vector<std::string>& reminders,
                                   const std::vector<std::string>& chapters) {
  if (reminders.size() < 2) return reminders;
  return {Counted(reminders.size(), "note") +
          " about the chapter and the workbook; to read them: warplings verify " + Joined(chapters, " ")};
}

Limits TakeLimits(ExerciseResult& result) {
  Limits limits;
  if (!result.facts) return limits;
  std::erase_if(*result.facts, [&](const Fact& fact) {
    for (const auto& [begin, is_broken_alone] :
         {std::pair(kLimitNoted, false), std::pair(kLimitBrokenAlone, true)}) {
      if (!fact.id.starts_with(begin)) continue;
      limits[fact.id.substr(std::string_view(begin).size())] = is_broken_alone;
      return true;
    }
    return false;
  });
  return limits;
}

void AddLimits(const Limits& of_run, bool is_wrong_answer, Limits& all) {
  for (const auto& [name, is_broken_alone] : of_run) all[name] |= is_wrong_answer && is_broken_alone;
}

std::vector<std::string> RemindersOfLimits(const Limits& limits) {
  std::vector<std::string> never;
  for (const auto& [name, is_broken_alone] : limits) {
    if (!is_broken_alone) never.push_back(name);
  }
  if (never.empty()) return {};
  const bool is_one = never.size() == 1;
  return {"no mutant breaks " + std::string(is_one ? "this limit" : "these limits") +
          " alone: " + Joined(never, ", ") + " (BrokenLimits). Can an answer with right values exceed " +
          (is_one ? "it" : "them") + "? Then write such a mutant"};
}

std::string LargestTest(const ExerciseResult& solution) {
  const auto largest = std::ranges::max_element(solution.tests, {}, WarpInstructions);
  if (largest == solution.tests.end() || WarpInstructions(*largest) == 0) return "";
  const std::uint64_t executed = WarpInstructions(*largest);
  const std::string words =
      "the solution's largest test, " + largest->name + ", executes " + Counted(executed, "warp instruction");
  if (executed <= kMostOfATest) return words;
  return words + ", more than " + WithThousands(kMostOfATest) +
         ": on a busy machine a right answer may run out of time, so make the input smaller";
}

std::string ConfusionTable(std::span<const MisconceptionText> misconceptions,
                           std::span<const ConfusionRow> rows) {
  std::vector<std::vector<std::string>> cells = {{""}};
  for (std::size_t i = 0; i < misconceptions.size(); ++i) cells[0].push_back(std::to_string(i + 1));
  cells[0].push_back("first failed test");
  const std::size_t digits = std::to_string(misconceptions.size()).size();
  for (std::size_t i = 0; i < misconceptions.size(); ++i) {
    for (const ConfusionRow& row : rows) {
      if (row.mutant != misconceptions[i].id) continue;
      const std::string number = std::to_string(i + 1);
      std::vector<std::string> line = {std::string(digits - number.size(), ' ') + number + " " +
                                       (row.name.empty() ? row.mutant : row.name)};
      for (const MisconceptionText& each : misconceptions) {
        const bool taken = std::ranges::count(row.taken, each.id) > 0;
        line.push_back(!taken ? "." : each.id == row.mutant ? "#" : "X");
      }
      line.push_back(row.killer.empty() ? "none" : row.killer);
      cells.push_back(std::move(line));
    }
  }
  return AlignColumns(cells, 2);
}

}  // namespace warplings
