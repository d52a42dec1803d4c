// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/ranking.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/advice/fact_kinds.h"
#include "grader/advice/symptoms.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"

namespace warplings {
namespace {

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

bool IsShownByMost(const Symptom& symptom, const Failures& group) {
  const auto shown = std::ranges::count_if(group, [&](const Failure& each) { return each.Has(symptom); });
  return 2 * shown > std::ssize(group);
}

/// The test that speaks for the group: the earliest in the chain, of equals the first whose values were
/// explained: of two mistakes another test may show the other one. If most of the others show a finding that
/// it lacks and few show its own, it is a special case, such as the launch without blocks of an empty input:
/// then one with that finding.
const Failure& Spokesman(const Failures& group) {
  const auto order = [](const Failure& each) {
    const TestResult& test = *each.test;
    // What a finding says is said of all that show it.
    const bool is_explained = !each.symptoms.front().is_finding && !test.explained_step.empty() &&
                              test.next_step == test.explained_step;
    return std::pair(each.symptoms.front().stage, !is_explained);
  };
  const auto earliest = std::ranges::min_element(group, {}, order);
  if (IsShownByMost(earliest->symptoms.front(), group)) return *earliest;
  const auto begins_with_common_finding = [&](const Failure& each) {
    const Symptom& first = each.symptoms.front();
    return first.is_finding && !earliest->Has(first) && IsShownByMost(first, group);
  };
  const auto common = std::ranges::find_if(group, begins_with_common_finding);
  return common == group.end() ? *earliest : *common;
}

/// Of the tests that hang together and are most, the one that speaks for them; one without an effect where
/// there is no other.
const TestResult* FirstOfMost(Failures failures) {
  const auto stage = [](const Failure& each) { return each.symptoms.front().stage; };
  const TestResult* first = nullptr;
  std::tuple<bool, std::ptrdiff_t, int> best;
  while (!failures.empty()) {
    const Failure next = failures.front();
    failures.erase(failures.begin());
    const Failures group = HangingTogether(next, failures);
    const Failure& speaks = Spokesman(group);
    const std::tuple rank(stage(speaks) != Stage::kUnused, std::ssize(group),
                          -static_cast<int>(stage(speaks)));
    if (first != nullptr && rank <= best) continue;
    best = rank;
    first = speaks.test;
  }
  return first;
}

void SortCauses(ExerciseResult& result, const Failures& failures) {
  // What costs too much comes behind what is wrong, however many tests it has.
  std::vector<std::pair<std::tuple<bool, std::ptrdiff_t, Stage>, Misconception>> ranked;
  for (Misconception& each : result.misconceptions) {
    if (!each.tests) each.tests.emplace();
    const Stage earliest = EarliestStage(each, failures);
    const std::tuple rank(earliest >= Stage::kPrice, -std::ssize(*each.tests), earliest);
    ranked.emplace_back(rank, std::move(each));
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
  result.misconceptions.clear();
  for (auto& each : ranked) result.misconceptions.push_back(std::move(each.second));
}

/// What the host computes is no kernel's mistake: misconceptions of tests that fail by that alone are left
/// out.
void DropCausesOfHostWork(const Failures& failures, ExerciseResult& result) {
  std::erase_if(result.misconceptions, [&](const Misconception& cause) {
    if (cause.tests->empty()) return false;
    return std::ranges::all_of(*cause.tests, [&](const std::string& name) {
      return std::ranges::any_of(failures, [&](const Failure& failure) {
        return failure.test->name == name && IsComputedByHost(*failure.test);
      });
    });
  });
}

/// Most tests fail because the host reads device memory first, and no misconception tells of that.
bool IsAboutHostRead(const Failures& failures, const ExerciseResult& result) {
  const auto tells = [](const Misconception& each) {
    return each.evidence.Mentions(say::stored_after_host_read.id);
  };
  const auto reading =
      std::ranges::count_if(failures, [](const Failure& each) { return ReadsBackFirst(*each.test); });
  return 2 * reading > std::ssize(failures) && std::ranges::none_of(result.misconceptions, tells);
}

/// What a call that crashed has not stored, or stored wrong, tells of no misconception.
void DropCausesOfCrashes(const Failures& failures, ExerciseResult& result) {
  std::erase_if(result.misconceptions, [&](const Misconception& cause) {
    if (cause.finding || cause.tests->empty()) return false;
    return std::ranges::all_of(failures, [&](const Failure& failure) {
      return std::ranges::count(*cause.tests, failure.test->name) == 0 ||
             failure.test->verdict == Verdict::kCrashed;
    });
  });
}

/// Whether host code of the test asked for a copy or a memset that was refused.
bool HasRefusedCopy(const TestResult& test) {
  return std::ranges::any_of(test.findings, [](const Finding& finding) {
    if (finding.kind != FindingKind::kInvalidCall || finding.severity != Severity::kError ||
        !say::refused.Made(finding.message))
      return false;
    const std::string& call = finding.message.arguments().at(0).text;
    return call.starts_with("cudaMemcpy") || call.starts_with("cudaMemset");
  });
}

/// Whether what tells of the cause can follow from memory that was never filled: values, and reads of what
/// nothing has stored.
bool CanFollowFromUnset(const Misconception& cause, const Failures& failures) {
  const bool is_unset_read = cause.finding && cause.finding->kind == FindingKind::kUninitialised &&
                             cause.finding->space == MemorySpace::kGlobal;
  if (cause.finding) return is_unset_read;
  return std::ranges::any_of(failures, [&](const Failure& failure) {
    return std::ranges::count(*cause.tests, failure.test->name) > 0 &&
           failure.Has({Stage::kValues, "values"});
  });
}

/// Most tests fail with a copy or a memset that was refused: the step of one of them. What follows from that
/// is no cause of its own. Null: not so.
const TestResult* LedByRefusedCopy(const Failures& failures, ExerciseResult& result) {
  const auto is_refused = [](const Failure& each) { return HasRefusedCopy(*each.test); };
  if (2 * std::ranges::count_if(failures, is_refused) <= std::ssize(failures)) return nullptr;
  // An access outside an array, where the test's step is about that, came before the copy.
  const auto is_outside = [&](const Failure& each) {
    const TestResult& test = *each.test;
    return is_refused(each) && test.advised && *test.advised < test.findings.size() &&
           test.findings[*test.advised].kind == FindingKind::kOutOfBounds;
  };
  auto first = std::ranges::find_if(failures, is_outside);
  if (first == failures.end()) {
    first = std::ranges::find_if(failures, [&](const Failure& each) {
      return is_refused(each) && say::arguments_of_refused_call.Made(each.test->next_step);
    });
  }
  if (first == failures.end()) return nullptr;
  std::erase_if(result.misconceptions, [&](const Misconception& cause) {
    if (cause.tests->empty() || !CanFollowFromUnset(cause, failures)) return false;
    return std::ranges::all_of(failures, [&](const Failure& failure) {
      return std::ranges::count(*cause.tests, failure.test->name) == 0 || is_refused(failure);
    });
  });
  return first->test;
}

/// All failing tests show that threads are missing, and the first cause was seen in some of them only, nor
/// does any cause tell of such threads: a test whose step is about them. Null: not so.
const TestResult* LedByMissingThreads(const Failures& failures, const ExerciseResult& result) {
  if (result.misconceptions.empty()) return nullptr;
  if (result.misconceptions.front().tests->size() >= failures.size()) return nullptr;
  for (const Failure& failure : failures) {
    const TestResult& test = *failure.test;
    if (!test.advised || *test.advised >= test.findings.size()) continue;
    const FindingKind kind = test.findings[*test.advised].kind;
    const auto shows = [kind](const Failure& each) {
      return std::ranges::any_of(each.test->findings, [kind](const Finding& finding) {
        return finding.kind == kind && finding.severity == Severity::kError;
      });
    };
    const auto tells = [&](const Misconception& each) { return KindBehind(each, result) == kind; };
    if (IsOfMissingThreads(kind) && std::ranges::all_of(failures, shows) &&
        std::ranges::none_of(result.misconceptions, tells))
      return &test;
  }
  return nullptr;
}

}  // namespace

void RankCauses(const Failures& failures, ExerciseResult& result) {
  DropCausesOfHostWork(failures, result);
  DropCausesOfCrashes(failures, result);
  SortCauses(result, failures);
  if (const TestResult* refused = LedByRefusedCopy(failures, result)) {
    result.next_step = refused->next_step;
    return;
  }
  if (IsAboutHostRead(failures, result)) {
    const auto first =
        std::ranges::find_if(failures, [](const Failure& each) { return ReadsBackFirst(*each.test); });
    result.next_step = first->test->next_step;
    return;
  }
  if (const TestResult* test = LedByMissingThreads(failures, result)) {
    result.next_step = test->next_step;
    return;
  }
  Failures unexplained;
  for (const Failure& failure : failures) {
    const bool is_late = failure.symptoms.front().stage >= Stage::kPrice;
    if (IsExplained(result, failure.test->name) || (is_late && !result.misconceptions.empty())) continue;
    unexplained.push_back(failure);
  }
  // An error that has no name comes before a price that has one; otherwise the names must explain the half.
  const bool are_prices = std::ranges::all_of(result.misconceptions, [&](const Misconception& each) {
    return EarliestStage(each, failures) >= Stage::kPrice;
  });
  const bool are_errors_left = are_prices && !unexplained.empty();
  if (!result.misconceptions.empty() && !are_errors_left && 2 * unexplained.size() <= failures.size()) return;
  if (const TestResult* test = FirstOfMost(std::move(unexplained))) result.next_step = test->next_step;
}

}  // namespace warplings
