// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/shown.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/advice/fact_kinds.h"
#include "grader/advice/finding_groups.h"
#include "grader/advice/symptoms.h"
#include "grader/advice/test_titles.h"
#include "grader/messages/product_facts.h"

namespace warplings {
namespace {

/// Whether an explanation counts how often elements of an input are added.
bool IsCounted(const Explanation& explanation) {
  return !explanation.facts.empty() && (say::counted_never.Made(explanation.facts.front()) ||
                                        say::counted_never_in_range.Made(explanation.facts.front()) ||
                                        say::counted_never_loaded.Made(explanation.facts.front()) ||
                                        say::counted_never_loaded_in_range.Made(explanation.facts.front()) ||
                                        say::counted_often.Made(explanation.facts.front()) ||
                                        say::counted_often_in_range.Made(explanation.facts.front()));
}

/// Whether the call that was looked at for a test fails in another way than the test does: one leaves
/// elements unwritten, the other stores wrong ones. What was found there is then not about this test.
bool IsExplainedByAnother(const TestResult& test) {
  if (test.wrong.empty() || !test.explanation) return false;
  const Explanation& about = *test.explanation;
  // Without formulas it is the elements of the input that were counted, in what is stored.
  if (about.elements.empty()) return LeavesUnwritten(test) && IsCounted(about);
  return about.elements.front().stored == LeavesUnwritten(test);
}

/// The name of the test that the evidence is of, if the advice begins with its numbers; or else of the first
/// one that has the finding which gave the misconception away, or the first one where that was something
/// else.
const std::string& TestThatShows(const Misconception& cause, const ExerciseResult& result) {
  const std::vector<std::string> of_evidence = TestsIn(cause.evidence);
  const auto is_of_evidence = [&](const std::string& name) {
    return std::ranges::any_of(of_evidence, [&](const std::string& each) { return IsNamed(name, each); });
  };
  const auto evident = std::ranges::find_if(*cause.tests, is_of_evidence);
  if (cause.fact_first.value_or(false) && evident != cause.tests->end()) return *evident;
  const auto has_finding = [&](const std::string& name) {
    const auto named = std::ranges::find(result.tests, name, &TestResult::name);
    return named != result.tests.end() && !GroupsOf(*cause.finding, {*named}).empty();
  };
  const auto shown = cause.finding ? std::ranges::find_if(*cause.tests, has_finding) : cause.tests->begin();
  return shown == cause.tests->end() ? cause.tests->front() : *shown;
}

/// The failing test that the advice is about: the one whose next step it is, or the first one that shows the
/// misconception, or else simply the first failing test. Null if none failed.
const TestResult* AdvisedTest(const ExerciseResult& result, const Misconception* cause) {
  const bool by_cause = cause != nullptr && cause->tests && !cause->tests->empty();
  const std::string shown = by_cause ? TestThatShows(*cause, result) : "";
  const auto is_meant = [&](const TestResult& test) {
    if (!HasFailed(test)) return false;
    if (by_cause) return test.name == shown;
    return !result.next_step.empty() && test.next_step == result.next_step;
  };
  auto found = std::ranges::find_if(result.tests, is_meant);
  if (found != result.tests.end() && !by_cause && IsExplainedByAnother(*found)) {
    const auto alike = std::ranges::find_if(result.tests, [&](const TestResult& test) {
      return test.verdict == Verdict::kWrongResult && test.findings.empty() && !test.wrong.empty() &&
             LeavesUnwritten(test) != LeavesUnwritten(*found);
    });
    if (alike != result.tests.end()) found = alike;
  }
  if (found == result.tests.end()) found = std::ranges::find_if(result.tests, HasFailed);
  return found == result.tests.end() ? nullptr : &*found;
}

/// The tests that the evidence of a misconception names. Words that an older version stored name none, but
/// they were about the first test that the misconception explains.
std::vector<const TestResult*> TestsOfEvidence(const Misconception& cause,
                                               const std::vector<TestResult>& tests) {
  std::vector<std::string> names = TestsIn(cause.evidence);
  if (!cause.evidence.IsData() && cause.tests && !cause.tests->empty()) names = {cause.tests->front()};
  std::vector<const TestResult*> named;
  for (const TestResult& test : tests) {
    if (std::ranges::any_of(names, [&](const std::string& name) { return IsNamed(test.name, name); }))
      named.push_back(&test);
  }
  return named;
}

/// An access outside an array that only some tests of the misconception have is another mistake's: that shows
/// where the first one leaves anything to do.
bool IsOfSomeOnly(const Finding& finding, const Misconception& cause, const std::vector<TestResult>& tests) {
  if (finding.kind != FindingKind::kOutOfBounds || !cause.tests) return false;
  return std::ranges::any_of(tests, [&](const TestResult& test) {
    return std::ranges::count(*cause.tests, test.name) > 0 && GroupsOf(finding, {test}).empty();
  });
}

/// Missing threads that a test shows which the misconception does not explain are another mistake, with a
/// sentence of its own.
bool IsOfOthersToo(const Finding& finding, const Misconception& cause, const std::vector<TestResult>& tests) {
  if (!IsOfMissingThreads(finding.kind) || !cause.tests) return false;
  return std::ranges::any_of(tests, [&](const TestResult& test) {
    return HasFailed(test) && std::ranges::count(*cause.tests, test.name) == 0 &&
           !GroupsOf(finding, {test}).empty();
  });
}

/// Leaves the findings of that kind, if there are any.
void PreferKind(FindingKind kind, std::vector<FindingGroup>& groups) {
  std::vector<FindingGroup> of_kind = groups;
  for (FindingGroup& group : of_kind)
    std::erase_if(group.findings, [&](const MergedFinding& each) { return each.finding.kind != kind; });
  std::erase_if(of_kind, [](const FindingGroup& group) { return group.findings.empty(); });
  if (!of_kind.empty()) groups = std::move(of_kind);
}

/// Findings that the misconception may explain: the one that shows it; where that was something else, those
/// that occurred in a test that its evidence names, or all if it names no test; of these, those of the kind
/// that its fact is about.
std::vector<FindingGroup> FindingsBehind(const Misconception& cause, const ExerciseResult& result) {
  const std::vector<TestResult>& tests = result.tests;
  if (cause.finding) return GroupsOf(*cause.finding, tests);
  const std::vector<const TestResult*> named = TestsOfEvidence(cause, tests);
  std::vector<FindingGroup> groups = named.empty() ? GroupFindings(tests) : FindingsIn(named, tests);
  const std::optional<FindingKind> kind = KindBehind(cause, result);
  for (FindingGroup& group : groups) {
    std::erase_if(group.findings, [&](const MergedFinding& each) {
      return IsOfSomeOnly(each.finding, cause, tests) ||
             (each.finding.kind != kind && IsOfOthersToo(each.finding, cause, tests));
    });
  }
  std::erase_if(groups, [](const FindingGroup& group) { return group.findings.empty(); });
  if (kind) PreferKind(*kind, groups);
  return groups;
}

/// Findings that the test's next step is about.
std::vector<FindingGroup> FindingsBehind(const TestResult& advised, const std::vector<TestResult>& tests) {
  if (!advised.advised || *advised.advised >= advised.findings.size()) return {};
  std::vector<FindingGroup> groups = GroupsOf(advised.findings[*advised.advised], tests);
  // The step speaks of the thread and the element of this test.
  if (!groups.empty()) {
    Finding& shown = groups.front().findings.front().finding;
    const std::uint64_t count = shown.count;
    shown = advised.findings[*advised.advised];
    shown.count = count;
  }
  return groups;
}

/// A name for the very finding that the advice is about is no second mistake.
bool IsOfFinding(const Misconception& cause, const std::optional<Finding>& advised) {
  return cause.finding && advised && cause.finding->kind == advised->kind &&
         cause.finding->where == advised->where;
}

}  // namespace

Advice AdviceToShow(const ExerciseResult& result) {
  const bool cause_is_first = result.next_step.empty() && !result.misconceptions.empty();
  const Misconception* cause = cause_is_first ? &result.misconceptions.front() : nullptr;
  const TestResult* test = AdvisedTest(result, cause);
  Advice advice;
  if (cause != nullptr) advice.misconception = cause->id;
  if (test != nullptr) advice.test = test->name;
  std::vector<FindingGroup> groups;
  if (cause != nullptr) {
    groups = FindingsBehind(*cause, result);
  } else if (test != nullptr && !result.next_step.empty()) {
    groups = FindingsBehind(*test, result.tests);
  } else if (test != nullptr) {  // Nothing is said, so that no finding can be taken for what is meant.
    groups = GroupFindings(result.tests);
  }
  if (!groups.empty()) advice.finding = std::move(groups.front().findings.front().finding);
  for (std::size_t i = cause_is_first ? 1 : 0; i < result.misconceptions.size(); ++i) {
    if (cause_is_first || !IsOfFinding(result.misconceptions[i], advice.finding))
      advice.later.push_back(result.misconceptions[i].id);
  }
  return advice;
}

}  // namespace warplings
