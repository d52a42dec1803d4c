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
#include "grader/report/follows_advice.h"
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
  return next != words.end() && static_cast<unsigned char>(*next) >= 0x80;
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

Message StepOf(const Misconception& misconception) {
  const Message words = JoinLines(misconception.message);
  const Message fact = BeginsWithFact(misconception) ? FirstMistakeIn(misconception.evidence) : Message();
  if (!HasExample(fact)) return words;
  const Message& example = fact.arguments().back().inner.front();
  const Message by_hand =
      fact.Is("example_of_step") ? say::try_by_hand(example) : say::try_both_by_hand(example);
  return words.empty() ? by_hand : say::both(words, by_hand);
}

namespace {

/// "line 21 reads `input[1]`, but `input` has 1 element": the finding as one short sentence, with the number
/// of tests that have it.
Message AfterThatFinding(const Finding& finding, std::size_t tests) {
  const say::Line line = finding.where.line;
  const say::Count count(tests, "test");
  switch (finding.kind) {
    case FindingKind::kOutOfBounds:
    case FindingKind::kMisaligned:
    case FindingKind::kUseAfterFree: return say::after_that_line(line, finding.message, count);
    case FindingKind::kUninitialised:
      return say::after_that_line(line,
                                  !finding.object.empty()                ? say::reads_unstored(finding.object)
                                  : finding.space == MemorySpace::kLocal ? say::reads_unstored_local()
                                                                         : say::reads_unstored_memory(),
                                  count);
    case FindingKind::kRace:
      if (finding.access == Access::kWrite && finding.other_access == Access::kWrite &&
          !finding.object.empty())
        return say::after_that_two_stores(line, finding.object, count);
      if (say::race_with_strayed_reads.Made(finding.message))
        return say::after_that_strayed_reads(finding.other->line, finding.object, count);
      return say::after_that_line(line, finding.message, count);
    default: {
      if (say::refused.Made(finding.message)) {
        const std::vector<Argument>& said = finding.message.arguments();
        return say::after_that_refused(line, said.at(0).text, said.at(1).inner.at(0), count);
      }
      Finding once = finding;
      once.count = 1;
      return say::after_that_finding(line, FindingSubject(once, 1), count);
    }
  }
}

/// The first error of a failing test that `is_meant`, with the tests that have it. Or empty, also where it
/// is the advice's mistake.
template <class IsMeant>
Message FirstFindingOf(const ExerciseResult& result, const IsMeant& is_meant) {
  const Finding* first = nullptr;
  std::set<std::string> tests;
  for (const TestResult& test : result.tests) {
    const auto error = std::ranges::find_if(test.findings, [&](const Finding& each) {
      return each.severity == Severity::kError && each.where.line > 0 && is_meant(test, each);
    });
    if (error == test.findings.end()) continue;
    if (first == nullptr) first = &*error;
    const bool has_it = std::ranges::any_of(test.findings, [&](const Finding& each) {
      return each.kind == first->kind && each.where == first->where;
    });
    if (has_it) tests.insert(test.name);
  }
  if (first == nullptr || FollowsFromAdvice(*first, tests, result)) return {};
  return AfterThatFinding(*first, tests.size());
}

/// A finding of another mistake than the advice's: where the headline has the verdict of other tests, the one
/// behind it. Or empty.
Message FindingOfOtherTests(const ExerciseResult& result) {
  if (IsVerdictOfOtherTests(result)) {
    return FirstFindingOf(
        result, [&](const TestResult& test, const Finding&) { return test.verdict == result.verdict; });
  }
  return FirstFindingOf(
      result, [&](const TestResult&, const Finding& each) { return IsAnotherMistake(each, result); });
}

/// Elements that other tests leave unwritten, which have another cause than the advice: one that is about
/// wrong values, or about a finding that these tests do not have. Or empty.
Message UnwrittenInOtherTests(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first == nullptr || LeavesUnwritten(*first)) return {};
  const std::optional<Finding>& advised = result.advice->finding;
  if (!advised && (NameComesFirst(result) || first->wrong.empty())) return {};
  const auto is_of_cause = [&](const TestResult& test) {
    if (!NameComesFirst(result)) return false;
    const auto& tests = result.misconceptions.front().tests;
    return tests && std::ranges::count(*tests, test.name) > 0;
  };
  const auto is_other = [&](const TestResult& test) {
    if (!LeavesUnwritten(test) || is_of_cause(test)) return false;
    return !advised || (test.findings.empty() && GroupsOf(*advised, {test}).empty());
  };
  const auto other = std::ranges::find_if(result.tests, is_other);
  if (other == result.tests.end()) return {};
  const auto tests = static_cast<std::size_t>(std::ranges::count_if(result.tests, is_other));
  const say::Count count(tests, "test");
  const Message title = NamedTitleOf(*other);
  if (other->verdict == Verdict::kLaunchFailed) {
    return tests == 1 ? say::after_that_launch_fails_in(title) : say::after_that_launch_fails(title, count);
  }
  const Message& where = other->wrong.front().where;
  return tests == 1 ? say::after_that_never_stored_in(where, title)
                    : say::after_that_never_stored(where, title, count);
}

/// Where the advice is about a launch that was refused: values that are wrong where all launches ran. Or
/// empty.
Message WrongInOtherTests(const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (first == nullptr || first->verdict != Verdict::kLaunchFailed) return {};
  const auto is_wrong = [](const TestResult& test) {
    return test.verdict == Verdict::kWrongResult && test.findings.empty() && !test.launches.empty() &&
           !test.wrong.empty() && !LeavesUnwritten(test);
  };
  const auto other = std::ranges::find_if(result.tests, is_wrong);
  if (other == result.tests.end()) return {};
  const auto tests = static_cast<std::size_t>(std::ranges::count_if(result.tests, is_wrong));
  const say::Count count(tests, "test");
  // What was found out about these values says more than that one of them is wrong.
  if (other->explanation && !other->explanation->facts.empty())
    return say::after_that_reason(other->explanation->facts.front(), count);
  const Message& where = other->wrong.front().where;
  return tests == 1 ? say::after_that_wrong_in(where, NamedTitleOf(*other))
                    : say::after_that_wrong(where, NamedTitleOf(*other), count);
}

/// Where the advice is about a requirement, another one that other tests do not meet; or, where it is about
/// wrong values, one that tests with right values do not meet. Beside a name only
/// where these are more than the name explains, because a count near the one that it is about may follow from
/// it. Or empty.
Message RequirementOfOtherTests(const ExerciseResult& result) {
  // A test of a requirement may go on with a second call, whose values are wrong.
  const auto is_of_values = [](const Message& reason) {
    return reason.Mentions(say::the_only_one_is_wrong.id) || reason.Mentions(say::one_is_wrong.id) ||
           reason.Mentions(say::some_are_wrong.id);
  };
  const auto misses_a_requirement = [&](const TestResult& test) {
    return test.verdict == Verdict::kWrongResult && test.wrong_count == 0 && test.findings.empty() &&
           !test.reason.empty() && !is_of_values(test.reason);
  };
  const TestResult* first = FirstFailure(result);
  // Values that are known to be wrong in the same way wherever they are leave the others to another mistake.
  const auto has_known_values = [](const TestResult& test) {
    return test.verdict == Verdict::kWrongResult && test.wrong_count > 0 && test.findings.empty() &&
           test.explanation && !test.explanation->facts.empty();
  };
  if (first == nullptr || !(misses_a_requirement(*first) || has_known_values(*first))) return {};
  const bool is_named = NameComesFirst(result);
  const auto is_explained = [&](const TestResult& test) {
    return std::ranges::any_of(result.misconceptions, [&](const Misconception& each) {
      return each.tests && std::ranges::count(*each.tests, test.name) > 0;
    });
  };
  // Rows of suites: products that some calls compute without tiles need more loads from global memory in
  // others, and fewer stores to the tiles.
  const auto is_of_tiles = [&](const TestResult& test) {
    return first->next_step.Is("use_tiles_in_every_call") &&
           (test.next_step.Is("find_lines_that_load") || test.next_step.Is("count_fetches_of_an_element") ||
            test.next_step.Is("load_that_matrix_by_tiles"));
  };
  // What costs too much at one width alone is done differently there: the other count is of the same code.
  const auto is_of_width = [&](const TestResult& test) {
    constexpr std::string_view kStep = "fast_matmul_other_width_step";
    if (!first->next_step.Is(kStep) || !test.next_step.Is(kStep)) return false;
    return test.next_step.arguments().at(1) == first->next_step.arguments().at(1);
  };
  const Symptoms own = SymptomsOf(*first);
  // What a name tells of kernels says nothing of a copy, also in a test that shows both.
  const auto is_of_copy = [&](const TestResult& test) {
    const bool wrote = say::all_copied.Made(test.reason) || say::some_copied.Made(test.reason);
    return wrote && is_named;
  };
  const TestResult* other = nullptr;
  std::size_t tests = 0;
  for (const TestResult& test : result.tests) {
    const bool is_copied = is_of_copy(test);
    if (!misses_a_requirement(test) || is_of_tiles(test) || is_of_width(test)) continue;
    if (!is_copied && SymptomsOf(test) == own) continue;
    if (!is_copied && (is_named ? is_explained(test) : test.next_step == first->next_step)) continue;
    if (other == nullptr) other = &test;
    tests += SymptomsOf(test) == SymptomsOf(*other);
  }
  if (other == nullptr || (is_named && tests <= TestsOf(result.misconceptions.front()))) return {};
  // How many elements it wrote differs between tests.
  const Message reason =
      is_of_copy(*other) ? say::a_copy_wrote(other->reason.arguments().back().text) : other->reason;
  return say::after_that_reason(reason, say::Count(tests, "test"));
}

/// How early in the chain the advice is: what comes later may follow from it.
Stage StageOfAdvice(const ExerciseResult& result) {
  const std::optional<Finding>& finding = result.advice->finding;
  return finding && finding->severity == Severity::kError ? SymptomOf(*finding, {}).stage : Stage::kPrice;
}

/// Whether the first name explains a list of tests, and others fail by this error alone.
bool IsAllThatFails(const Symptom& symptom, const Failures& failures, const ExerciseResult& result) {
  if (!NameComesFirst(result) || !result.facts) return false;
  const Misconception& named = result.misconceptions.front();
  const Message evidence = WithoutTitles(named.evidence);
  const bool is_listed = std::ranges::any_of(*result.facts, [&](const Fact& fact) {
    return !fact.tests.empty() && Contains(evidence, fact.message);
  });
  return is_listed && std::ranges::any_of(failures, [&](const Failure& failure) {
           return failure.symptoms == Symptoms{symptom} &&
                  std::ranges::count(*named.tests, failure.test->name) == 0;
         });
}

/// Whether one of the causes that are named above shows as this error, or may have caused it: it is of the
/// same kind as the finding of one, or all tests of one have it.
bool IsSpokenOf(const Finding& error, const Symptom& symptom, const Failures& failures,
                const ExerciseResult& result) {
  const auto is_alike = [&](const std::optional<Finding>& other) {
    return other && other->kind == error.kind;
  };
  const auto explains = [&](const Misconception& cause) {
    if (is_alike(cause.finding)) return true;
    return TestsOf(cause) > 0 && std::ranges::all_of(failures, [&](const Failure& failure) {
             return std::ranges::count(*cause.tests, failure.test->name) == 0 || failure.Has(symptom);
           });
  };
  if (IsAllThatFails(symptom, failures, result)) return false;
  return symptom.stage > StageOfAdvice(result) || is_alike(result.advice->finding) ||
         std::ranges::any_of(result.misconceptions, explains);
}

/// An error and the tests that have it.
struct OtherError {
  Symptom symptom;
  const Finding* first = nullptr;
  bool is_spoken_of = false;
  std::set<std::string> tests;
  bool is_outside() const { return first->kind == FindingKind::kOutOfBounds; }
};

/// One of each symptom, those of the most tests first.
std::vector<OtherError> ErrorsOf(const ExerciseResult& result) {
  const Failures failures = FailuresOf(result);
  std::vector<OtherError> errors;
  for (const Failure& failure : failures) {
    for (const Finding& finding : failure.test->findings) {
      if (finding.severity != Severity::kError || finding.where.line == 0) continue;
      const Symptom symptom = SymptomOf(finding, *failure.test);
      auto known = std::ranges::find(errors, symptom, &OtherError::symptom);
      if (known == errors.end()) {
        const bool is_spoken_of = IsSpokenOf(finding, symptom, failures, result);
        known = errors.insert(known, OtherError{symptom, &finding, is_spoken_of, {}});
      }
      known->tests.insert(failure.test->name);
    }
  }
  std::ranges::stable_sort(errors, std::ranges::greater(),
                           [](const OtherError& error) { return error.tests.size(); });
  return errors;
}

/// The errors that nothing above speaks of, one of each line.
std::vector<Message> OtherErrors(const ExerciseResult& result, const std::vector<Message>& said) {
  const std::vector<OtherError> errors = ErrorsOf(result);
  std::set<int> lines = LinesOfAdvice(result);
  for (const Message& each : said) {
    if (say::after_that_line.Made(each)) lines.insert(static_cast<int>(each.arguments().at(0).number));
  }
  // An index that is wrong leaves several arrays, in the same tests, and inside them it leads to elements of
  // other threads.
  std::vector<const OtherError*> outside;
  const auto follows = [&](const OtherError& error) {
    const bool is_of_an_index = error.is_outside() || error.first->space == MemorySpace::kGlobal;
    return is_of_an_index && std::ranges::any_of(outside, [&](const OtherError* other) {
             return std::ranges::includes(other->tests, error.tests);
           });
  };
  std::vector<Message> messages;
  for (const OtherError& error : errors) {
    if (lines.contains(error.first->where.line)) continue;
    const bool is_of_advice = FollowsFromAdvice(*error.first, error.tests, result);
    if (is_of_advice || follows(error)) {
      if (is_of_advice && error.is_outside()) outside.push_back(&error);
      lines.insert(error.first->where.line);
      continue;
    }
    const bool is_said =
        std::ranges::any_of(said, [&](const Message& each) { return Contains(each, error.first->message); });
    Message message = AfterThatFinding(*error.first, error.tests.size());
    if (error.is_spoken_of || is_said || std::ranges::count(said, message) > 0) continue;
    lines.insert(error.first->where.line);
    if (error.is_outside()) outside.push_back(&error);
    messages.push_back(std::move(message));
  }
  return messages;
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
    // A number would say that each of them shows it.
    causes.push_back(tests == 0 || TestsThatShow(*cause, result) < tests
                         ? say::after_that(words)
                         : say::after_that_in_tests(words, say::Count(tests, "test")));
  }
  if (causes.empty()) {
    Message unwritten = UnwrittenInOtherTests(result), finding = FindingOfOtherTests(result);
    // A refused launch leaves the elements unwritten: its line says it all.
    const bool is_of_launch =
        say::after_that_launch_fails.Made(unwritten) || say::after_that_launch_fails_in.Made(unwritten);
    const bool is_refusal = say::after_that_finding.Made(finding) || say::after_that_refused.Made(finding);
    if (is_of_launch && is_refusal) unwritten = {};
    if (!unwritten.empty()) causes.push_back(std::move(unwritten));
    if (!finding.empty()) causes.push_back(std::move(finding));
    if (Message wrong = WrongInOtherTests(result); !wrong.empty()) causes.push_back(std::move(wrong));
    if (Message other = RequirementOfOtherTests(result); !other.empty()) causes.push_back(std::move(other));
  }
  std::ranges::move(OtherErrors(result, causes), std::back_inserter(causes));
  return causes;
}

}  // namespace warplings
