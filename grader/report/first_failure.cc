// SPDX-License-Identifier: Apache-2.0
#include "grader/report/first_failure.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "grader/advice/finding_groups.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/messages/report.h"
#include "grader/report/finding_text.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

std::size_t TestsOf(const Misconception& misconception) {
  return misconception.tests ? misconception.tests->size() : 0;
}

/// What was seen, of evidence that begins with the test it was seen in.
Message WithoutTest(const Message& evidence) {
  const std::vector<Argument>& arguments = evidence.arguments();
  const bool names_test = !arguments.empty() && arguments.front().kind == Argument::Kind::kTest;
  if (!names_test || arguments.back().inner.empty() || arguments.back().kind != Argument::Kind::kMessage)
    return evidence;
  const Message& seen = arguments.back().inner.front();
  if (say::of_test_with_call.Made(evidence)) return say::of_call(arguments[1].inner.front(), seen);
  return WithoutTest(seen);
}

bool BeginsWithFact(const Misconception& misconception) {
  return misconception.fact_first.value_or(false) && !misconception.evidence.empty();
}

/// The title, or the fact without the example that may stand behind it.
std::string ShortWordsOf(const Misconception& misconception) {
  if (!BeginsWithFact(misconception)) return PrintableWords(misconception.title);
  Message fact = WithoutTest(misconception.evidence);
  // A row of suites: "{1}. Example: {2}".
  if (fact.Is("example_of_step") || fact.Is("example_of_both_steps"))
    fact = Message(fact.arguments().front().inner.front());
  return PrintableWords(fact);
}

}  // namespace

bool NameComesFirst(const ExerciseResult& result) {
  return result.advice && !result.advice->misconception.empty();
}

const TestResult* FirstFailure(const ExerciseResult& result) {
  if (!result.advice) return nullptr;
  const auto found = std::ranges::find(result.tests, result.advice->test, &TestResult::name);
  return found == result.tests.end() ? nullptr : &*found;
}

Message VerdictOfAdvice(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first == nullptr || first->verdict == Verdict::kPassed) return VerdictWords(result);
  const auto is_meant = [&](const TestResult& test) {
    if (test.verdict != result.verdict) return false;
    if (!NameComesFirst(result)) return &test == first || test.next_step == first->next_step;
    const auto& tests = result.misconceptions.front().tests;
    return !tests || tests->empty() || std::ranges::count(*tests, test.name) > 0;
  };
  if (std::ranges::any_of(result.tests, is_meant)) return VerdictWords(result);
  const bool values_are_right =
      first->verdict == Verdict::kWrongResult && first->element_count > 0 && first->wrong_count == 0;
  return say::verdict_and_others(values_are_right ? "a requirement is not met" : VerdictWords(first->verdict),
                                 VerdictWords(result));
}

Message ReasonBelowAdvice(const TestResult& test, const ExerciseResult& result) {
  if (!result.advice || !result.advice->finding || !say::in_line.Made(test.reason)) return test.reason;
  const std::vector<FindingGroup> groups = GroupsOf(*result.advice->finding, {test});
  if (groups.empty()) return test.reason;
  const Finding& finding = groups.front().findings.front().finding;
  return finding.where.line > 0 ? say::in_line(finding.where.line, finding.message) : test.reason;
}

Message SeenIn(const Misconception& misconception, const ExerciseResult& result) {
  const Message& evidence = misconception.evidence;
  if (evidence.empty()) return {};
  const std::size_t tests = TestsOf(misconception);
  return tests < 2 ? say::seen_in(evidence)
                   : say::seen_in_tests(tests, say::Count(result.tests.size(), "test"), evidence);
}

Message SeenInBriefly(const Misconception& misconception, const ExerciseResult& result) {
  const Message seen = WithoutTest(misconception.evidence);
  const std::size_t tests = TestsOf(misconception);
  if (seen.empty() || tests == 0 || result.tests.size() < 2) return SeenIn(misconception, result);
  return say::seen_in_some(tests, say::Count(result.tests.size(), "test"), seen);
}

std::string FirstWordsOf(const Misconception& misconception) {
  if (!BeginsWithFact(misconception)) return PrintableWords(misconception.title);
  std::string words = PrintableWords(WithoutTest(misconception.evidence));
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

namespace {

/// Where the headline has the verdict of other tests than the advice is about: the finding behind it. Or
/// empty.
Message FindingOfOtherTests(const ExerciseResult& result) {
  if (!say::verdict_and_others.Made(VerdictOfAdvice(result))) return {};
  const Finding* first = nullptr;
  std::size_t tests = 0;
  for (const TestResult& test : result.tests) {
    if (test.verdict != result.verdict) continue;
    const auto error = std::ranges::find_if(test.findings, [](const Finding& each) {
      return each.severity == Severity::kError && each.where.line > 0;
    });
    if (error == test.findings.end()) continue;
    if (first == nullptr) first = &*error;
    tests += error->kind == first->kind && error->where.line == first->where.line ? 1 : 0;
  }
  if (first == nullptr) return {};
  Finding once = *first;
  once.count = 1;
  return say::after_that_finding(once.where.line, FindingSubject(once, 1), say::Count(tests, "test"));
}

/// Where the advice is about wrong values: elements that other tests leave unwritten, which have another
/// cause. Or empty.
Message UnwrittenInOtherTests(const ExerciseResult& result) {
  const auto leaves_unwritten = [](const TestResult& test) {
    return !test.wrong.empty() && say::never_written.Made(test.wrong.front().note);
  };
  const TestResult* first = FirstFailure(result);
  if (NameComesFirst(result) || first == nullptr || first->wrong.empty() || leaves_unwritten(*first) ||
      result.advice->finding)
    return {};
  const auto other = std::ranges::find_if(result.tests, leaves_unwritten);
  if (other == result.tests.end()) return {};
  const auto tests = static_cast<std::size_t>(std::ranges::count_if(result.tests, leaves_unwritten));
  return say::after_that_never_stored(other->wrong.front().where, NamedTitleOf(*other),
                                      say::Count(tests, "test"));
}

}  // namespace

std::vector<Message> LaterCauses(const ExerciseResult& result) {
  std::vector<Message> causes;
  if (!result.advice) return causes;
  for (const std::string& id : result.advice->later) {
    const auto cause = std::ranges::find(result.misconceptions, id, &Misconception::id);
    if (cause == result.misconceptions.end()) continue;
    const std::size_t tests = TestsOf(*cause);
    const std::string words = ShortWordsOf(*cause);
    causes.push_back(tests == 0 ? say::after_that(words)
                                : say::after_that_in_tests(words, say::Count(tests, "test")));
  }
  if (causes.empty()) {
    if (Message unwritten = UnwrittenInOtherTests(result); !unwritten.empty())
      causes.push_back(std::move(unwritten));
    if (Message finding = FindingOfOtherTests(result); !finding.empty()) causes.push_back(std::move(finding));
  }
  return causes;
}

}  // namespace warplings
