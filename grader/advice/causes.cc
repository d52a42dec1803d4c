// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/causes.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/advice/fact_kinds.h"
#include "grader/advice/finding_groups.h"
#include "grader/advice/test_titles.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

bool Names(const Message& evidence, const TestResult& test) {
  return std::ranges::any_of(TestsIn(evidence),
                             [&](const std::string& name) { return IsNamed(test.name, name); });
}

/// Failing tests that share a symptom with those that the evidence names; none where it names none.
std::vector<std::string> TestsLikeNamed(const Message& evidence, const Failures& failures) {
  std::vector<std::string> names;
  for (const Failure& failure : failures) {
    const bool is_like = std::ranges::any_of(failures, [&](const Failure& named) {
      return Names(evidence, *named.test) &&
             std::ranges::any_of(named.symptoms, [&](const Symptom& each) { return failure.Has(each); });
    });
    if (is_like) names.push_back(failure.test->name);
  }
  return names;
}

std::vector<std::string> TestsListed(const std::vector<std::string>& listed, const Failures& failures) {
  std::vector<std::string> names;
  for (const Failure& failure : failures) {
    const std::string& test = failure.test->name;
    if (std::ranges::any_of(listed, [&](const std::string& name) { return IsNamed(test, name); }))
      names.push_back(test);
  }
  return names;
}

/// Whether a failing test does no more than exceed a limit.
bool OnlyCosts(const Failure& failure) {
  return failure.symptoms.front().stage == Stage::kPrice;
}

/// Whether the test fails because another one's call, of that title, exceeded a limit of every call.
bool FailsByCall(const TestResult& test, const Message& title) {
  const Message* failed = say::TestOfLimit(test.reason);
  return failed != nullptr && *failed == title;
}

/// The failing tests that a fact of calls which passed explains. The call that a limit's fact is stated of
/// passes its own test; the limit's test fails in its place, unless that call does something else wrong.
/// Without such a test, all that exceed a limit; but not those in which a warp executes too much, because
/// such a call fails its own test, and another limit's fact says nothing of it.
std::vector<std::string> TestsOfLimit(const std::vector<std::string>& calls, const Failures& failures,
                                      const std::vector<TestResult>& tests) {
  std::vector<std::string> names, that_cost;
  for (const Failure& failure : failures) {
    if (!OnlyCosts(failure)) continue;
    if (!failure.test->reason.Mentions(say::warp_too_long.id)) that_cost.push_back(failure.test->name);
    const bool is_theirs = std::ranges::any_of(tests, [&](const TestResult& call) {
      return FailsByCall(*failure.test, call.title) &&
             std::ranges::any_of(calls, [&](const std::string& name) { return IsNamed(call.name, name); });
    });
    if (is_theirs) names.push_back(failure.test->name);
  }
  return names.empty() ? that_cost : names;
}

/// Which failing tests a misconception has to itself.
struct Taken {
  std::vector<std::string> by_list, by_name;
};

/// Of a fact that all tests together show: the tests with wrong values, or all where no value is wrong;
/// but none that the suite lists for another one.
std::vector<std::string> TestsOfAll(const Failures& failures, const Taken& taken) {
  const Symptom values{Stage::kValues, "values"};
  const auto is_in = [](const std::vector<std::string>& names, const Failure& each) {
    return std::ranges::count(names, each.test->name) > 0;
  };
  const bool any_wrong = std::ranges::any_of(failures, [&](const Failure& each) { return each.Has(values); });
  std::vector<std::string> names;
  for (const Failure& each : failures) {
    if (is_in(taken.by_list, each)) continue;
    if (any_wrong ? each.Has(values) : !is_in(taken.by_name, each)) names.push_back(each.test->name);
  }
  return names;
}

void Append(std::vector<std::string>& all, const std::vector<std::string>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Where the evidence is a fact that an explanation has, that explanation; null: it is none.
const Explanation* ExplanationBehind(const Message& evidence, const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    if (!test.explanation) continue;
    for (const Message& fact : test.explanation->facts) {
      if (Contains(evidence, fact)) return &*test.explanation;
    }
  }
  return nullptr;
}

/// A launch was refused and no other was made, so that no kernel stored anything.
bool LaunchedNothing(const TestResult& test) {
  const auto is_refused = [](const Finding& each) {
    return each.kind == FindingKind::kInvalidLaunch && each.severity == Severity::kError;
  };
  return test.launches.empty() && std::ranges::any_of(test.findings, is_refused);
}

/// Of a misconception that all tests with wrong values count for: how wrong sums came about says nothing of
/// the tests in which no kernel ran.
void DropTestsWithoutAKernel(Misconception& cause, const Failures& failures, const ExerciseResult& result) {
  const Explanation* behind = ExplanationBehind(cause.evidence, result);
  if (behind == nullptr || behind->elements.empty() || !behind->elements.front().stored) return;
  std::vector<std::string> names = *cause.tests;
  for (const Failure& each : failures) {
    if (LaunchedNothing(*each.test)) std::erase(names, each.test->name);
  }
  if (!names.empty()) cause.tests = std::move(names);
}

/// Of evidence that names no test. A fact is true of the call that it was found in, which need not be one of
/// a test.
Message WithATest(const Misconception& cause, const ExerciseResult& result) {
  const Explanation* behind = ExplanationBehind(cause.evidence, result);
  const Message call = behind != nullptr ? behind->call : Message();
  if (call.empty()) return say::of_test(cause.tests->front(), cause.evidence);
  for (const TestResult& test : result.tests) {
    const bool is_its = std::ranges::count(*cause.tests, test.name) > 0;
    if (is_its && NamesCall(test.title, call)) return say::of_test(test.name, cause.evidence);
  }
  return say::of_test_with_call(cause.tests->front(), call, cause.evidence);
}

/// "Seen in" sends the reader to a test: to one that failed.
void NameAFailingTest(Misconception& cause, const ExerciseResult& result) {
  if (!cause.tests || cause.tests->empty()) return;
  bool names_any = false;
  for (const TestResult& test : result.tests) {
    const bool named = Names(cause.evidence, test);
    if (named && HasFailed(test)) return;
    names_any |= named;
  }
  cause.evidence =
      names_any ? say::of_shown_test(cause.tests->front(), cause.evidence) : WithATest(cause, result);
}

/// What to do about a race between two passes of a loop; empty of any other evidence.
Message StepOfPasses(const Message& evidence) {
  if (say::race_with_next_pass.Made(evidence)) return say::who_waits_after_pass();
  if (say::race_with_later_pass.Made(evidence)) return say::who_fills_before_reading();
  if (say::race_with_earlier_pass.Made(evidence)) return say::who_waits_before_reading();
  const std::vector<Argument>& arguments = evidence.arguments();
  if (arguments.empty() || arguments.back().inner.empty()) return {};
  return StepOfPasses(arguments.back().inner.front());
}

/// Threads that leave an endless loop wait at the next barrier for those that are still in it. A
/// misconception about that barrier would send the reader to the wrong line.
bool FollowsFromEndlessLoop(const Fact& fact, const std::vector<TestResult>& tests) {
  if (!fact.finding || fact.finding->kind != FindingKind::kDivergentBarrier) return false;
  const auto is_endless = [](const Finding& each) {
    return each.kind == FindingKind::kEndlessLoop && each.severity == Severity::kError;
  };
  return std::ranges::any_of(tests, [&](const TestResult& test) {
    return std::ranges::any_of(test.findings, is_endless) && !GroupsOf(*fact.finding, {test}).empty();
  });
}

bool IsSharedRace(const Finding& finding) {
  return finding.kind == FindingKind::kRace && finding.space == MemorySpace::kShared;
}

/// Threads that wait at another barrier than the rest of their block race with it, although the barrier
/// between the two lines is there. A race that another test shows without that has a cause of its own.
bool FollowsFromDivergentBarrier(const Fact& fact, const std::vector<TestResult>& tests) {
  const bool is_of_race =
      fact.finding ? IsSharedRace(*fact.finding) : KindOfFact(fact.id) == FindingKind::kRace;
  if (!is_of_race) return false;
  bool is_any = false;
  for (const TestResult& test : tests) {
    for (const Finding& race : test.findings) {
      if (!IsSharedRace(race) || race.severity != Severity::kError) continue;
      is_any = true;
      const bool is_divergent = std::ranges::any_of(test.findings, [&](const Finding& each) {
        return each.kind == FindingKind::kDivergentBarrier && each.severity == Severity::kError &&
               each.kernel == race.kernel;
      });
      if (!is_divergent) return false;
    }
  }
  return is_any;
}

/// A race, or a read of what nothing has stored, of a line that leaves another array in some test. Other ones
/// of that kind in global memory have a cause of their own.
bool FollowsFromOutside(const Fact& fact, const std::vector<TestResult>& tests) {
  const auto kind = fact.finding ? std::optional(fact.finding->kind) : KindOfFact(fact.id);
  if (!kind || (fact.finding && fact.finding->space != MemorySpace::kGlobal)) return false;
  bool is_any = false;
  for (const TestResult& test : tests) {
    for (const Finding& each : test.findings) {
      const bool is_alike = each.kind == *kind && each.severity == Severity::kError &&
                            (!fact.finding || each.space == MemorySpace::kGlobal);
      if (!is_alike) continue;
      if (!FollowsFromOutside(each, tests)) return false;
      is_any = true;
    }
  }
  return is_any;
}

}  // namespace

void MatchFacts(std::span<const MisconceptionText> known, ExerciseResult& result) {
  result.misconceptions.clear();
  if (!result.facts) return;
  for (const Fact& fact : *result.facts) {
    if (FollowsFromEndlessLoop(fact, result.tests)) continue;
    if (FollowsFromDivergentBarrier(fact, result.tests)) continue;
    if (FollowsFromOutside(fact, result.tests)) continue;
    const auto text = std::ranges::find_if(
        known, [&](const MisconceptionText& each) { return std::ranges::count(each.told_by, fact.id) > 0; });
    if (text == known.end()) continue;
    auto named = std::ranges::find(result.misconceptions, text->id, &Misconception::id);
    if (named == result.misconceptions.end()) {
      result.misconceptions.push_back({text->id, text->title, text->message, fact.message, fact.tests});
      named = result.misconceptions.end() - 1;
      if (text->fact_first) named->fact_first = true;
      // A barrier is there: that one is missing between store and read would send the reader to the wrong
      // place.
      if (const Message step = StepOfPasses(fact.message); !step.empty()) {
        named->fact_first = true;
        named->message = English(step);
      }
    } else {
      Append(named->tests.value(), fact.tests);
    }
    if (!named->finding) named->finding = fact.finding;
  }
}

void FindTestsOfCauses(const Failures& failures, ExerciseResult& result) {
  Taken taken;
  std::vector<Misconception*> unlisted, unnamed;
  for (Misconception& each : result.misconceptions) {
    std::vector<std::string> of_facts = each.tests.value_or(std::vector<std::string>{});
    each.tests = TestsListed(of_facts, failures);
    const std::vector<std::string> named = TestsIn(each.evidence);
    if (of_facts.empty()) of_facts = named;
    const bool is_of_failing = !each.tests->empty() || !TestsListed(named, failures).empty();
    if (is_of_failing || of_facts.empty()) {
      if (each.tests->empty()) unlisted.push_back(&each);
    } else {
      each.tests = TestsOfLimit(of_facts, failures, result.tests);
    }
    Append(taken.by_list, *each.tests);
  }
  for (Misconception* each : unlisted) {
    each->tests = TestsLikeNamed(each->evidence, failures);
    if (each->tests->empty()) unnamed.push_back(each);
    Append(taken.by_name, *each->tests);
  }
  const std::vector<std::string> of_all = TestsOfAll(failures, taken);
  for (Misconception* each : unnamed) {
    each->tests = of_all;
    DropTestsWithoutAKernel(*each, failures, result);
  }
  for (Misconception& each : result.misconceptions) NameAFailingTest(each, result);
}

}  // namespace warplings
