// SPDX-License-Identifier: Apache-2.0
#include "grader/report/first_failure.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "grader/advice/finding_groups.h"
#include "grader/advice/symptoms.h"
#include "grader/advice/test_titles.h"
#include "grader/base/text.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
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

/// As a suite made it: without the titles of the tests, which a result adds.
Message WithoutTitles(Message message) {
  for (Argument& argument : message.arguments()) {
    if (argument.kind == Argument::Kind::kTest) argument.inner.clear();
    for (Message& inner : argument.inner) inner = WithoutTitles(inner);
  }
  return message;
}

/// Names of the tests of which the fact behind the evidence was stated; none if it is one of all tests
/// together, or of a result of an older version, which has no facts.
std::vector<std::string> TestsOfFact(const Fact& fact, const Message& evidence,
                                     const ExerciseResult& result) {
  if (!fact.tests.empty()) return fact.tests;
  std::vector<std::string> names = TestsIn(fact.message);
  for (const TestResult& test : result.tests) {
    if (test.explanation && std::ranges::any_of(test.explanation->facts, [&](const Message& each) {
          return Contains(evidence, each);
        }))
      names.push_back(test.name);
  }
  return names;
}

/// How many of the misconception's tests show it. The others count for it because they fail in the same way.
std::size_t TestsThatShow(const Misconception& misconception, const ExerciseResult& result) {
  const std::size_t all = TestsOf(misconception);
  if (!result.facts || all == 0) return all;
  const Message evidence = WithoutTitles(misconception.evidence);
  const auto fact = std::ranges::find_if(
      *result.facts, [&](const Message& each) { return Contains(evidence, each); }, &Fact::message);
  if (fact == result.facts->end()) return all;
  const std::vector<std::string> names = TestsOfFact(*fact, evidence, result);
  if (names.empty()) return all;
  const auto shown = std::ranges::count_if(*misconception.tests, [&](const std::string& test) {
    return std::ranges::any_of(names, [&](const std::string& name) { return IsNamed(test, name); });
  });
  // Further facts of the same misconception list the other tests.
  return shown > 0 && !fact->tests.empty() ? all : static_cast<std::size_t>(shown);
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

/// Of evidence of several mistakes with one name, what it says of each of them.
std::vector<Message> MistakesIn(const Message& seen) {
  if (!say::and_another_step.Made(seen)) return {seen};
  std::vector<Message> mistakes = MistakesIn(seen.arguments().at(0).inner.at(0));
  mistakes.push_back(seen.arguments().at(1).inner.at(0));
  return mistakes;
}

/// What was seen of the first mistake.
Message FirstMistakeIn(const Message& evidence) {
  return MistakesIn(WithoutTest(evidence)).front();
}

// Rows of suites: "{1} Example: {2}".
bool HasExample(const Message& fact) {
  return fact.Is("example_of_step") || fact.Is("example_of_both_steps");
}

/// Whether words begin with an identifier: with one that is called or indexed, or that no English word looks
/// like; or with any Latin word in a language that has other letters.
bool BeginsWithIdentifier(std::string_view words) {
  const auto is_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  const auto end = std::ranges::find_if_not(words, is_of_name);
  const auto is_no_word = [](char c) { return (c >= '0' && c <= '9') || c == '_'; };
  if (std::ranges::any_of(words.begin(), end, is_no_word)) return true;
  auto next = end;
  if (next != words.end() && (*next == '(' || *next == '[')) return true;
  if (next != words.end() && *next == ' ') ++next;
  // "n = 256"
  return next != words.end() && (*next == '=' || static_cast<unsigned char>(*next) >= 0x80);
}

/// Facts are clauses: "you count rows."
std::string AsSentence(std::string words) {
  if (words.empty() || BeginsWithIdentifier(words)) return words;
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

/// The title, or the fact without the example that may stand behind it.
std::string ShortWordsOf(const Misconception& misconception) {
  if (!BeginsWithFact(misconception)) return PrintableWords(misconception.title);
  Message fact = FirstMistakeIn(misconception.evidence);
  if (HasExample(fact)) fact = Message(fact.arguments().front().inner.front());
  return PrintableWords(fact);
}

void AddLinesOf(const Message& message, std::set<int>& lines) {
  for (const Argument& argument : message.arguments()) {
    if (argument.kind == Argument::Kind::kLine) lines.insert(static_cast<int>(argument.number));
    for (const Message& inner : argument.inner) AddLinesOf(inner, lines);
  }
}

/// The lines that the advice names, and that of its finding: two errors of one line are mostly one mistake.
std::set<int> LinesOfAdvice(const ExerciseResult& result) {
  std::set<int> lines;
  AddLinesOf(
      NameComesFirst(result) ? FirstMistakeIn(result.misconceptions.front().evidence) : result.next_step,
      lines);
  if (result.advice && result.advice->finding) lines.insert(result.advice->finding->where.line);
  return lines;
}

/// Whether a finding has another cause than the advice, so that a reader would look there for a mistake that
/// is elsewhere: an access outside an array, or two threads that store to one element of an array,
///  - where the advice is about threads that do not wait for each other, in another array;
///  - where it is about elements that nobody stores, of an access that reads.
bool IsAnotherMistake(const Finding& finding, const ExerciseResult& result) {
  if (!result.advice || finding.severity != Severity::kError || finding.where.line == 0) return false;
  const bool is_outside = finding.kind == FindingKind::kOutOfBounds;
  const bool is_global_race = finding.kind == FindingKind::kRace && finding.space == MemorySpace::kGlobal &&
                              finding.access == Access::kWrite && finding.other_access == Access::kWrite;
  if (!is_outside && !is_global_race) return false;
  if (!result.advice->finding && LinesOfAdvice(result).contains(finding.where.line)) return false;
  if (const auto& advised = result.advice->finding) {
    const bool is_of_order =
        advised->kind == FindingKind::kRace || advised->kind == FindingKind::kDivergentBarrier;
    return is_of_order && advised->object != finding.object;
  }
  const TestResult* first = FirstFailure(result);
  return !NameComesFirst(result) && is_outside && finding.access == Access::kRead && first != nullptr &&
         first->explanation && !first->explanation->elements.empty() &&
         !first->explanation->elements.front().stored;
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

namespace {

/// Whether no test that the advice is about has the result's verdict.
bool IsVerdictOfOtherTests(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first == nullptr || first->verdict == Verdict::kPassed) return false;
  const auto is_meant = [&](const TestResult& test) {
    if (test.verdict != result.verdict) return false;
    if (!NameComesFirst(result)) return &test == first || test.next_step == first->next_step;
    const auto& tests = result.misconceptions.front().tests;
    return !tests || tests->empty() || std::ranges::count(*tests, test.name) > 0;
  };
  return std::ranges::none_of(result.tests, is_meant);
}

/// Whether the test is shown with its wrong elements only: the error that it has, too, is another mistake.
bool HidesItsError(const TestResult& test, const ExerciseResult& result) {
  return result.verdict == Verdict::kFinding && test.verdict == Verdict::kFinding && test.wrong_count > 0 &&
         !NameComesFirst(result) && !test.reason.empty() && ReasonBelowAdvice(test, result).empty();
}

/// Whether the advice is about an error that may have made a kernel run for ever: it speaks of no time.
bool IsOfAnErrorBeforeTheLimit(const ExerciseResult& result) {
  if (result.verdict != Verdict::kTimeLimit || !result.advice || !result.advice->finding) return false;
  const Finding& advised = *result.advice->finding;
  return advised.severity == Severity::kError &&
         (advised.kind == FindingKind::kOutOfBounds || advised.kind == FindingKind::kUninitialised ||
          advised.kind == FindingKind::kRace);
}

}  // namespace

Message VerdictOfAdvice(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first != nullptr && HidesItsError(*first, result)) return "wrong result";
  if (!IsVerdictOfOtherTests(result))
    return IsOfAnErrorBeforeTheLimit(result) ? say::verdict_and_time_limit() : VerdictWords(result);
  return say::verdict_and_others(
      MissesARequirement(*first) ? "a requirement is not met" : VerdictWords(*first), VerdictWords(result));
}

Message ReasonBelowAdvice(const TestResult& test, const ExerciseResult& result) {
  const bool is_another =
      std::ranges::any_of(test.findings, [&](const Finding& each) { return IsAnotherMistake(each, result); });
  if (is_another && result.advice && !result.advice->finding && say::in_line.Made(test.reason)) return {};
  if (!result.advice || !result.advice->finding || !say::in_line.Made(test.reason)) return test.reason;
  const std::vector<FindingGroup> groups = GroupsOf(*result.advice->finding, {test});
  if (groups.empty()) return test.reason;
  const Finding& finding = groups.front().findings.front().finding;
  return finding.where.line > 0 ? say::in_line(finding.where.line, finding.message) : test.reason;
}

Message SeenIn(const Misconception& misconception, const ExerciseResult& result) {
  const Message& evidence = misconception.evidence;
  if (evidence.empty()) return {};
  const std::size_t tests = TestsOf(misconception), shown = TestsThatShow(misconception, result);
  if (tests < 2 || shown == 0) return say::seen_in(evidence);
  if (shown < tests) return say::seen_in_one_alike(say::Count(tests, "test"), evidence);
  return say::seen_in_tests(tests, say::Count(result.tests.size(), "test"), evidence);
}

Message SeenInBriefly(const Misconception& misconception, const ExerciseResult& result) {
  const Message seen = FirstMistakeIn(misconception.evidence);
  const std::size_t tests = TestsOf(misconception), shown = TestsThatShow(misconception, result);
  if (seen.empty() || shown == 0 || result.tests.size() < 2) return SeenIn(misconception, result);
  if (shown < tests) return say::seen_in_one_alike(say::Count(tests, "test"), seen);
  // A row of a suite, "{1}: your answer is {2}; right is {3}": the answers stand in the table below.
  if (seen.Is("occupancy_right_is")) {
    return say::seen_in_tests(tests, say::Count(result.tests.size(), "test"),
                              seen.arguments().front().inner.front());
  }
  return say::seen_in_some(tests, say::Count(result.tests.size(), "test"), seen);
}

std::string FirstWordsOf(const Misconception& misconception) {
  return BeginsWithFact(misconception) ? AsSentence(ShortWordsOf(misconception))
                                       : PrintableWords(misconception.title);
}

Message ExampleOfAdvice(const ExerciseResult& result) {
  if (!NameComesFirst(result)) return {};
  const Message fact = FirstMistakeIn(result.misconceptions.front().evidence);
  return HasExample(fact) ? Message(fact.arguments().back().inner.front()) : Message();
}

Message JoinedMessage(const Misconception& misconception) {
  const Message& message = misconception.message;
  return message.IsData() ? message : Message(JoinLines(English(message)));
}

Message StepOf(const Misconception& misconception) {
  const Message words = JoinedMessage(misconception);
  const Message fact = BeginsWithFact(misconception) ? FirstMistakeIn(misconception.evidence) : Message();
  if (!HasExample(fact)) return words;
  const Message& example = fact.arguments().back().inner.front();
  const Message by_hand =
      fact.Is("example_of_step") ? say::try_by_hand(example) : say::try_both_by_hand(example);
  return words.empty() ? by_hand : say::both(words, by_hand);
}

namespace {

const Finding* RefusedLaunchOf(const TestResult& test) {
  const auto found = std::ranges::find(test.findings, FindingKind::kInvalidLaunch, &Finding::kind);
  return test.verdict == Verdict::kLaunchFailed && found != test.findings.end() ? &*found : nullptr;
}

/// Whether the advice is about the test, so that another cause of its failure is not sure.
bool IsOfAdvice(const TestResult& test, const ExerciseResult& result) {
  if (!NameComesFirst(result)) return test.name == result.advice->test;
  const auto& tests = result.misconceptions.front().tests;
  return !tests || std::ranges::count(*tests, test.name) > 0;
}

/// Calls that launch nothing and leave the output unwritten, where the advice is about what kernels compute:
/// mostly a size of 0. Or empty. Blocks that are too few by rounding down leave elements unwritten, too, and
/// may be none: that is one mistake.
Message CallsThatLaunchNothing(const ExerciseResult& result) {
  const TestResult* unwritten = nullptr;
  std::size_t tests = 0;
  for (const TestResult& test : result.tests) {
    if (!HasFailed(test)) continue;
    const bool is_of_advice = IsOfAdvice(test, result);
    if (is_of_advice && (test.launches.empty() || test.verdict != Verdict::kWrongResult)) return {};
    if (!test.launches.empty() && LeavesUnwritten(test)) return {};
    if (!LeavesUnwritten(test) || !say::none_launched_and_wrong.Made(test.reason)) continue;
    if (unwritten == nullptr) unwritten = &test;
    ++tests;
  }
  if (unwritten == nullptr) return {};
  return say::after_that_none_launched(English(unwritten->wrong.front().where), say::Count(tests, "test"));
}

/// A requirement that a call misses whose values are right, where the advice is about calls that launch
/// nothing: it cannot follow from that. Or empty.
Message RequirementThatLaunchesMiss(const ExerciseResult& result) {
  const TestResult* misses = nullptr;
  for (const TestResult& test : result.tests) {
    if (!HasFailed(test)) continue;
    if (IsOfAdvice(test, result)) {
      if (!test.launches.empty()) return {};
    } else if (!test.launches.empty()) {
      if (!MissesARequirement(test) || test.reason.empty()) return {};
      if (misses == nullptr) misses = &test;
    }
  }
  return misses == nullptr ? Message() : say::after_that(AsSentence(PrintableWords(misses->reason)));
}

/// A launch that is refused in tests that show nothing of the advice: mostly a size of 0. Or empty. Another
/// error is left for the next check: it may follow from the first mistake, and who looks for a second one in
/// a right line loses more than who checks twice.
Message LaunchThatOtherTestsRefuse(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first == nullptr || first->verdict == Verdict::kLaunchFailed) return {};
  const auto is_of_advice = [&](const TestResult& test) {
    if (!NameComesFirst(result)) return test.next_step == first->next_step;
    const auto& tests = result.misconceptions.front().tests;
    return !tests || std::ranges::count(*tests, test.name) > 0;
  };
  const Finding* refused = nullptr;
  std::size_t tests = 0;
  for (const TestResult& test : result.tests) {
    const Finding* each = RefusedLaunchOf(test);
    if (each == nullptr) continue;
    // A division that rounds down gives too few blocks for most sizes, and none for the smallest.
    if (is_of_advice(test) || (LeavesUnwritten(*first) && LeavesUnwritten(test))) return {};
    if (refused == nullptr) refused = each;
    ++tests;
  }
  if (refused == nullptr || refused->where.line == 0 || !say::refused.Made(refused->message)) return {};
  const Message& why = refused->message.arguments().at(1).inner.at(0);
  return say::after_that_refused(refused->where.line, why, say::Count(tests, "test"));
}

/// An element that is never stored in a call that launches a kernel, where the first cause is about calls
/// that launch none: it cannot follow from that. Or empty.
Message StoreThatLaunchesLack(const ExerciseResult& result) {
  if (!NameComesFirst(result) || !result.misconceptions.front().tests) return {};
  const std::vector<std::string>& explained = *result.misconceptions.front().tests;
  const TestResult* lacks = nullptr;
  std::size_t tests = 0;
  for (const TestResult& test : result.tests) {
    if (!HasFailed(test)) continue;
    const bool is_first = std::ranges::count(explained, test.name) > 0;
    if (is_first != test.launches.empty() || test.verdict != Verdict::kWrongResult) return {};
    if (is_first) continue;
    if (!LeavesUnwritten(test)) return {};
    if (lacks == nullptr) lacks = &test;
    ++tests;
  }
  if (lacks == nullptr) return {};
  return say::after_that_not_stored(English(lacks->wrong.front().where), say::Count(tests, "test"));
}

/// A copy that stores the output in tests that the first cause does not explain: nobody stores less because
/// of another mistake. Or empty.
Message CopyThatStores(const ExerciseResult& result) {
  if (!NameComesFirst(result) || !result.misconceptions.front().tests) return {};
  const std::vector<std::string>& explained = *result.misconceptions.front().tests;
  std::size_t tests = 0;
  std::string output;
  for (const TestResult& test : result.tests) {
    if (std::ranges::count(explained, test.name) > 0 || !say::all_copied.Made(test.reason)) continue;
    output = test.reason.arguments().at(1).text;
    ++tests;
  }
  return tests == 0 ? Message() : say::after_that_copied(output, say::Count(tests, "test"));
}

bool HasLaunches(const ExerciseResult& result) {
  return std::ranges::any_of(result.tests, [](const TestResult& test) { return !test.launches.empty(); });
}

/// The line of the finding that gave the misconception away, where only its title is told; 0 without one.
int LineBeside(const Misconception& misconception) {
  return misconception.finding && !BeginsWithFact(misconception) ? misconception.finding->where.line : 0;
}

}  // namespace

std::vector<Message> LaterCauses(const ExerciseResult& result) {
  std::vector<Message> causes;
  if (!result.advice) return causes;
  if (NameComesFirst(result)) {
    const std::vector<Message> mistakes = MistakesIn(WithoutTest(result.misconceptions.front().evidence));
    for (std::size_t i = 1; i < mistakes.size(); ++i)
      causes.push_back(say::after_that(AsSentence(PrintableWords(mistakes[i]))));
  }
  for (const std::string& id : result.advice->later) {
    const auto cause = std::ranges::find(result.misconceptions, id, &Misconception::id);
    if (cause == result.misconceptions.end()) continue;
    const std::size_t tests = TestsOf(*cause);
    const std::string words = FirstWordsOf(*cause);
    // A number would say that each of them shows it. Of an exercise without kernels, all answers together
    // tell which steps of a calculation are wrong.
    const bool has_number = tests > 0 && TestsThatShow(*cause, result) >= tests && HasLaunches(result);
    const say::Count count(tests, "test");
    if (const int line = LineBeside(*cause); line > 0) {
      causes.push_back(has_number ? say::after_that_in_line_and_tests(words, line, count)
                                  : say::after_that_in_line(words, line));
    } else {
      causes.push_back(has_number ? say::after_that_in_tests(words, count) : say::after_that(words));
    }
  }
  if (causes.empty()) {
    if (Message none = CallsThatLaunchNothing(result); !none.empty()) causes.push_back(none);
    if (Message missed = RequirementThatLaunchesMiss(result); !missed.empty()) causes.push_back(missed);
    if (Message refused = LaunchThatOtherTestsRefuse(result); !refused.empty()) causes.push_back(refused);
    if (Message lacks = StoreThatLaunchesLack(result); !lacks.empty()) causes.push_back(lacks);
    if (Message copied = CopyThatStores(result); !copied.empty()) causes.push_back(copied);
  }
  return causes;
}

}  // namespace warplings
