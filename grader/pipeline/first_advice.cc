// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/first_advice.h"

#include <algorithm>
#include <cctype>
#include <compare>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/messages/joining.h"
#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

/// The symptoms in order from cause to effect. Last what is told and has no effect: values that nobody set,
/// and that no element depends on.
enum class Stage { kAccess, kOrder, kValues, kPrice, kUnused };

struct Symptom {
  Stage stage = Stage::kValues;
  std::string what;
  friend auto operator<=>(const Symptom&, const Symptom&) = default;
};
using Symptoms = std::vector<Symptom>;

Stage StageOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRace:
    case FindingKind::kDivergentBarrier:
    case FindingKind::kBarrierAfterExit:
    case FindingKind::kMaskWithoutLane:
    case FindingKind::kDeadlock:
    case FindingKind::kEndlessLoop: return Stage::kOrder;
    case FindingKind::kShuffleAfterExit:
    case FindingKind::kUninitialised: return Stage::kValues;
    default: return Stage::kAccess;
  }
}

Stage StageOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kNotSynchronised:
    case Verdict::kTimeLimit: return Stage::kOrder;
    case Verdict::kInputModified: return Stage::kValues;
    default: return Stage::kAccess;
  }
}

/// Threads that do not wait for each other find any values. A race in global memory follows from a wrong
/// index as well, and leaves the values what that made them.
bool PutsOutOfStep(const Finding& finding) {
  const bool is_barrier =
      finding.kind == FindingKind::kDivergentBarrier || finding.kind == FindingKind::kDeadlock;
  const bool is_race = finding.kind == FindingKind::kRace && finding.space == MemorySpace::kShared;
  return finding.severity == Severity::kError && (is_barrier || is_race);
}

/// What nobody has set is no number, and would have made wrong elements.
bool IsUnused(const Finding& finding, const TestResult& test) {
  return finding.kind == FindingKind::kUninitialised && finding.space == MemorySpace::kShared &&
         test.wrong_count == 0;
}

Symptom SymptomOf(const Finding& finding, const TestResult& test) {
  // Reads outside M and reads outside N have different causes; of races it is the place in the code that
  // differs.
  const std::string where =
      finding.kind == FindingKind::kOutOfBounds
          ? std::to_string(static_cast<int>(finding.access)) + " " + English(finding.object)
          : std::string(MemorySpaceName(finding.space));
  const Stage stage = IsUnused(finding, test) ? Stage::kUnused : StageOf(finding.kind);
  return {stage, std::string(FindingKindName(finding.kind)) + " " + where};
}

/// What a message says, whatever the numbers and names in it: its id, and those of the messages in it.
std::string KindOf(const Message& message) {
  std::string kind = message.id();
  for (const Argument& argument : message.arguments()) {
    for (const Message& inner : argument.inner) kind += " " + KindOf(inner);
  }
  if (message.IsData()) return kind;
  // Words that are no data yet.
  kind = message.english();
  std::erase_if(kind, [](unsigned char c) { return std::isdigit(c) != 0; });
  return kind;
}

/// In the order of the chain; none of a test that did not fail.
Symptoms SymptomsOf(const TestResult& test) {
  Symptoms all;
  if (!HasFailed(test)) return all;
  for (const Finding& finding : test.findings) {
    if (finding.severity == Severity::kError) all.push_back(SymptomOf(finding, test));
  }
  // A finding says more than the verdict that follows from it.
  const bool broke_off = test.verdict != Verdict::kWrongResult && test.verdict != Verdict::kFinding;
  if (broke_off && all.empty())
    all.push_back({StageOf(test.verdict), std::string(VerdictName(test.verdict))});
  if (test.wrong_count > 0) all.push_back({Stage::kValues, "values"});
  if (all.empty()) all.push_back({Stage::kPrice, KindOf(test.reason)});
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  // Values follow from it.
  if (std::ranges::any_of(test.findings, PutsOutOfStep))
    std::erase_if(all, [](const Symptom& each) { return each.stage == Stage::kValues; });
  return all;
}

/// The failing tests with what they show, in their order.
struct Failure {
  const TestResult* test = nullptr;
  Symptoms symptoms;
  bool Has(const Symptom& symptom) const { return std::ranges::count(symptoms, symptom) > 0; }
};
using Failures = std::vector<Failure>;

Failures FailuresOf(const ExerciseResult& result) {
  Failures all;
  for (const TestResult& test : result.tests) {
    if (HasFailed(test)) all.push_back({&test, SymptomsOf(test)});
  }
  return all;
}

bool IsPartOfWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where `word` stands in `text` by itself; npos: nowhere.
std::size_t PlaceOfWord(const std::string& text, const std::string& word) {
  if (word.empty()) return std::string::npos;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || (!IsPartOfWord(text[at - 1]) && text[at - 1] != '.');
    if (begins && (end == text.size() || !IsPartOfWord(text[end]))) return at;
  }
  return std::string::npos;
}

bool Names(const Message& evidence, const TestResult& test) {
  const std::vector<std::string> named = TestsIn(evidence);
  if (std::ranges::count(named, test.name) + std::ranges::count(named, ShortName(test.name)) > 0) return true;
  if (evidence.IsData()) return false;
  const std::string& text = evidence.english();  // Words that are no data yet.
  return PlaceOfWord(text, test.name) != std::string::npos ||
         PlaceOfWord(text, ShortName(test.name)) != std::string::npos;
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
    const std::string& name = failure.test->name;
    if (std::ranges::count(listed, name) + std::ranges::count(listed, ShortName(name)) > 0)
      names.push_back(name);
  }
  return names;
}

/// Which failing tests a misconception has to itself.
struct Taken {
  std::vector<std::string> by_list, by_name;
};

/// Of a cause that all tests together gave away: the tests with wrong values, or all where no value is wrong;
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

bool Holds(const Message& message, const Message& part) {
  if (message == part) return true;
  const bool is_inside = std::ranges::any_of(message.arguments(), [&](const Argument& argument) {
    return std::ranges::any_of(argument.inner, [&](const Message& inner) { return Holds(inner, part); });
  });
  // Words that are no data yet.
  return is_inside || (!message.IsData() && message.english().find(English(part)) != std::string::npos);
}

/// The call that was looked at where the evidence is a fact that an explanation has; empty: it is none.
std::string CallBehind(const Message& evidence, const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    if (!test.explanation) continue;
    for (const Message& fact : test.explanation->facts) {
      if (Holds(evidence, fact)) return test.explanation->call;
    }
  }
  return "";
}

/// Of evidence that names no test. A fact is true of the call that it was found in, which need not be one of
/// a test.
Message WithATest(const Misconception& cause, const ExerciseResult& result) {
  const std::string call = CallBehind(cause.evidence, result);
  if (call.empty()) return say::of_test(cause.tests->front(), cause.evidence);
  for (const TestResult& test : result.tests) {
    const bool is_its = std::ranges::count(*cause.tests, test.name) > 0;
    if (is_its && PlaceOfWord(English(test.title), call) == 0) return say::of_test(test.name, cause.evidence);
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

bool IsExplained(const ExerciseResult& result, const std::string& test) {
  return std::ranges::any_of(result.misconceptions, [&](const Misconception& each) {
    return each.tests && std::ranges::count(*each.tests, test) > 0;
  });
}

Stage EarliestStage(const Misconception& cause, const Failures& failures) {
  Stage earliest = Stage::kPrice;
  for (const Failure& failure : failures) {
    if (std::ranges::count(*cause.tests, failure.test->name) == 0) continue;
    earliest = std::min(earliest, failure.symptoms.front().stage);
  }
  return earliest;
}

bool ShareASymptom(const Failure& a, const Failure& b) {
  return std::ranges::any_of(a.symptoms, [&](const Symptom& each) { return b.Has(each); });
}

/// Those that hang together: reads outside an array in one test, with wrong values in the next, and wrong
/// values alone in a third one are what one mistake looks like at three sizes.
Failures HangingTogether(const Failure& first, Failures& others) {
  Failures group = {first};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (auto other = others.begin(); other != others.end();) {
      const bool belongs = ShareASymptom(group[i], *other);
      if (belongs) group.push_back(*other);
      other = belongs ? others.erase(other) : other + 1;
    }
  }
  std::ranges::sort(group, {}, &Failure::test);  // In their order.
  return group;
}

/// Of the tests that hang together and are most, the one that is earliest in the chain; one without an effect
/// where there is no other.
const TestResult* FirstOfMost(Failures failures) {
  const auto stage = [](const Failure& each) { return each.symptoms.front().stage; };
  const TestResult* first = nullptr;
  std::tuple<bool, std::ptrdiff_t, int> best;
  while (!failures.empty()) {
    const Failure next = failures.front();
    failures.erase(failures.begin());
    const Failures group = HangingTogether(next, failures);
    const auto earliest = std::ranges::min_element(group, {}, stage);
    const std::tuple rank(stage(*earliest) != Stage::kUnused, std::ssize(group),
                          -static_cast<int>(stage(*earliest)));
    if (first != nullptr && rank <= best) continue;
    best = rank;
    first = earliest->test;
  }
  return first;
}

void SortCauses(ExerciseResult& result, const Failures& failures) {
  std::vector<std::pair<std::pair<std::ptrdiff_t, Stage>, Misconception>> ranked;
  for (Misconception& each : result.misconceptions) {
    if (!each.tests) each.tests.emplace();
    const std::pair rank(-std::ssize(*each.tests), EarliestStage(each, failures));
    ranked.emplace_back(rank, std::move(each));
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
  result.misconceptions.clear();
  for (auto& each : ranked) result.misconceptions.push_back(std::move(each.second));
}

}  // namespace

void FindTestsOfCauses(ExerciseResult& result) {
  const Failures failures = FailuresOf(result);
  Taken taken;
  for (Misconception& each : result.misconceptions) {
    std::vector<std::string> listed = TestsListed(each.tests.value_or(std::vector<std::string>{}), failures);
    Append(taken.by_list, listed);
    each.tests = std::move(listed);
  }
  for (Misconception& each : result.misconceptions) {
    if (!each.tests->empty()) continue;
    each.tests = TestsLikeNamed(each.evidence, failures);
    Append(taken.by_name, *each.tests);
  }
  const std::vector<std::string> of_all = TestsOfAll(failures, taken);
  for (Misconception& each : result.misconceptions) {
    if (each.tests->empty()) each.tests = of_all;
    NameAFailingTest(each, result);
  }
}

void PutFirstAdviceFirst(ExerciseResult& result) {
  const Failures failures = FailuresOf(result);
  SortCauses(result, failures);
  Failures unexplained;
  for (const Failure& failure : failures) {
    const bool is_late = failure.symptoms.front().stage >= Stage::kPrice;
    if (IsExplained(result, failure.test->name) || (is_late && !result.misconceptions.empty())) continue;
    unexplained.push_back(failure);
  }
  if (!result.misconceptions.empty() && 2 * unexplained.size() <= failures.size()) return;
  if (const TestResult* test = FirstOfMost(std::move(unexplained))) result.next_step = test->next_step;
}

}  // namespace warplings
