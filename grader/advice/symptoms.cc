// SPDX-License-Identifier: Apache-2.0
#include "grader/advice/symptoms.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string>
#include <string_view>

#include "grader/messages/device_work.h"
#include "grader/messages/judging.h"
#include "grader/messages/refusals.h"

namespace warplings {
namespace {

Stage StageOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRace:
    case FindingKind::kRaceBetweenStreams:
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

/// A launch that was refused because it is too large: what it should have stored says nothing about values.
/// One without blocks or threads often has the same cause as elements that are never stored.
bool IsOfTooLargeALaunch(const Finding& finding) {
  return finding.kind == FindingKind::kInvalidLaunch && !finding.message.Mentions(say::no_blocks.id) &&
         !finding.message.Mentions(say::no_threads.id);
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

/// A question without an answer, or with a wrong one: rows of a suite. It is about code that is right, so
/// that whatever a kernel does wrong comes before it.
bool IsOfQuestion(const TestResult& test) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"when_not_to_no_answers", "when_not_to_unreadable",
                                         "when_not_to_text", "when_not_to_no_answer",
                                         "when_not_to_wrong_answer"},
      [&](const char* row) { return test.reason.Is(row); });
}

/// The one that an error of a failing test is.
Symptom SymptomOf(const Finding& finding, const TestResult& test, const std::vector<TestResult>& tests) {
  // Reads outside M and reads outside N have different causes; of races it is the place in the code that
  // differs.
  const std::string where =
      finding.kind == FindingKind::kOutOfBounds
          ? std::to_string(static_cast<int>(finding.access)) + " " + English(finding.object)
          : std::string(MemorySpaceName(finding.space));
  const Stage stage = IsUnused(finding, test)              ? Stage::kUnused
                      : FollowsFromOutside(finding, tests) ? Stage::kValues
                                                           : StageOf(finding.kind);
  return {stage, std::string(FindingKindName(finding.kind)) + " " + where, true};
}

/// In the order of the chain; none of a test that did not fail. Wrong values in a test with a race are left
/// out, because the race causes them.
Symptoms SymptomsOf(const TestResult& test, const std::vector<TestResult>& tests) {
  Symptoms all;
  if (!HasFailed(test)) return all;
  for (const Finding& finding : test.findings) {
    if (finding.severity == Severity::kError) all.push_back(SymptomOf(finding, test, tests));
  }
  // A finding says more than the verdict that follows from it.
  const bool broke_off = test.verdict != Verdict::kWrongResult && test.verdict != Verdict::kFinding;
  if (broke_off && all.empty())
    all.push_back({StageOf(test.verdict), std::string(VerdictName(test.verdict))});
  const bool has_values = test.wrong_count > 0 && std::ranges::none_of(test.findings, IsOfTooLargeALaunch);
  if (has_values) all.push_back({Stage::kValues, "values"});
  if (all.empty()) all.push_back({IsOfQuestion(test) ? Stage::kUnused : Stage::kPrice, KindOf(test.reason)});
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  // Values follow from it.
  if (std::ranges::any_of(test.findings, PutsOutOfStep))
    std::erase_if(all, [](const Symptom& each) { return each.stage == Stage::kValues; });
  return all;
}

}  // namespace

bool IsOfMissingThreads(FindingKind kind) {
  switch (kind) {
    case FindingKind::kDivergentBarrier:
    case FindingKind::kBarrierAfterExit:
    case FindingKind::kMaskWithoutLane:
    case FindingKind::kShuffleAfterExit: return true;
    default: return false;
  }
}

bool IsComputedByHost(const TestResult& test) {
  return HasFailed(test) && (test.reason.Mentions(say::computed_by_host.id) ||
                             test.reason.Mentions(say::kernels_load_nothing.id) ||
                             test.reason.Mentions(say::no_kernel_launched.id));
}

bool ReadsBackFirst(const TestResult& test) {
  return IsComputedByHost(test) ||
         (HasFailed(test) && (test.reason.Mentions(say::stored_after_host_read.id) ||
                              test.reason.Mentions(say::stored_after_shared_write.id)));
}

bool MayBeOfHost(const TestResult& test) {
  return ReadsBackFirst(test) || (HasFailed(test) && test.reason.Mentions(say::copied_by_host.id));
}

bool FollowsFromOutside(const Finding& met, const std::vector<TestResult>& tests) {
  return std::ranges::any_of(tests, [&](const TestResult& test) {
    return std::ranges::any_of(test.findings,
                               [&](const Finding& each) { return MayFollowFromOutside(met, each); });
  });
}

bool LeavesUnwritten(const TestResult& test) {
  return !test.wrong.empty() && say::never_written.Made(test.wrong.front().note);
}

Failures FailuresOf(const ExerciseResult& result) {
  Failures all;
  for (const TestResult& test : result.tests) {
    if (HasFailed(test)) all.push_back({&test, SymptomsOf(test, result.tests)});
  }
  return all;
}

}  // namespace warplings
