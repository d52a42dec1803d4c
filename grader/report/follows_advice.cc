// SPDX-License-Identifier: Apache-2.0
#include "grader/report/follows_advice.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "grader/advice/finding_groups.h"
#include "grader/messages/build.h"
#include "grader/messages/findings.h"
#include "grader/messages/judging.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"
#include "grader/report/first_failure.h"

namespace warplings {
namespace {

using Names = std::set<std::string>;

bool HasName(const Message& message, const std::string& name) {
  return std::ranges::any_of(message.arguments(), [&](const Argument& argument) {
    return (argument.kind == Argument::Kind::kName && argument.text == name) ||
           std::ranges::any_of(argument.inner, [&](const Message& inner) { return HasName(inner, name); });
  });
}

/// Whether most of these tests are among those of the cause. An index that is wrong in one line is so in all
/// tests, also in those whose values the cause does not explain.
bool IsSeenWith(const Misconception& cause, const Names& tests) {
  if (!cause.tests) return false;
  const auto shared =
      std::ranges::count_if(*cause.tests, [&](const std::string& test) { return tests.contains(test); });
  return 2 * shared > std::ssize(tests);
}

std::vector<const TestResult*> TestsNamed(const Names& names, const ExerciseResult& result) {
  std::vector<const TestResult*> tests;
  for (const TestResult& test : result.tests) {
    if (names.contains(test.name)) tests.push_back(&test);
  }
  return tests;
}

/// Those of the name that comes first, or the one whose own advice does.
Names TestsOfAdvice(const ExerciseResult& result) {
  if (!NameComesFirst(result)) return {result.advice->test};
  const auto& tests = result.misconceptions.front().tests;
  return tests ? Names(tests->begin(), tests->end()) : Names();
}

/// A load by the row of M, or the column of N, of which the advice says that it is a wrong one. M is Mt where
/// it is stored column by column.
bool IsByWrongSide(const Finding& error, const Message& advice) {
  const std::string array = English(error.object);
  return array == "N" ? advice.Mentions(say::product_other_column.id)
                      : (array == "M" || array == "Mt") && advice.Mentions(say::product_other_row.id);
}

/// Whether the advice is about an element of that matrix, "N[16][2]" of "N", for which a tile holds 0: the
/// condition that keeps a thread from it lets the thread go elsewhere. Rows of suites.
bool IsZeroOf(const Message& advice, const std::string& array) {
  if (advice.Is("zero_in_tile") || advice.Is("zero_for_factor"))
    return advice.arguments().size() > 2 && advice.arguments()[2].text.starts_with(array + "[");
  return std::ranges::any_of(advice.arguments(), [&](const Argument& argument) {
    return std::ranges::any_of(argument.inner, [&](const Message& inner) { return IsZeroOf(inner, array); });
  });
}

/// A load of a factor where the advice says that sums take factors from elsewhere: by a row and column that
/// are wrong, or by an index that leaves that matrix.
bool IsOfWrongFactor(const Finding& error, const ExerciseResult& result) {
  const std::string array = English(error.object);
  const bool is_matrix = array == "M" || array == "Mt" || array == "N";
  if (!is_matrix || error.access != Access::kRead) return false;
  if (NameComesFirst(result))
    return result.misconceptions.front().evidence.Mentions(say::product_rows_by_division.id);
  const Message& advice = result.next_step;
  return IsZeroOf(advice, array) || advice.Mentions(say::product_unlike_ranges.id) ||
         advice.Mentions(say::product_unlike_ranges_without_tiles.id) ||
         (advice.Mentions(say::element_has_factor_outside.id) && HasName(advice, array));
}

bool IsByIndexOfAdvice(const Finding& error, const Names& tests, const ExerciseResult& result) {
  if (!NameComesFirst(result) && error.access == Access::kRead &&
      (result.next_step.Mentions(say::product_beyond_last.id) || IsByWrongSide(error, result.next_step)))
    return true;
  return std::ranges::any_of(result.misconceptions, [&](const Misconception& cause) {
    return HasName(cause.evidence, English(error.object)) && IsSeenWith(cause, tests);
  });
}

/// A read of what nobody has stored: the array that lacks __shared__ is each thread's own, and threads that
/// have returned store nothing.
bool IsUnstoredByAdvice(const Finding& error, const ExerciseResult& result) {
  if (say::array_lacks_shared.Made(result.next_step)) return error.space == MemorySpace::kLocal;
  if (!NameComesFirst(result) || error.space != MemorySpace::kShared) return false;
  const std::optional<Finding>& named = result.misconceptions.front().finding;
  return named && named->kind == FindingKind::kBarrierAfterExit && named->kernel == error.kernel;
}

/// Indices by which some elements of an array are never stored: others are stored by two threads.
bool IsByUnstoredElements(const Finding& error, const ExerciseResult& result) {
  if (NameComesFirst(result) || error.space != MemorySpace::kGlobal || error.access != Access::kWrite ||
      error.other_access != Access::kWrite)
    return false;
  const Message& advice = result.next_step;
  const bool is_of_unstored =
      advice.Mentions(say::linear_one_not_stored.id) || advice.Mentions(say::linear_some_not_stored.id);
  return is_of_unstored && HasName(advice, English(error.object));
}

/// Two sides of a grid or matrix that are exchanged are so in the index of each array: it leaves some, and
/// inside others it leads to another thread's element.
bool IsByExchangedSides(const Names& tests, const ExerciseResult& result) {
  return std::ranges::any_of(result.misconceptions, [&](const Misconception& cause) {
    // Rows of suites.
    const bool is_of_sides =
        cause.evidence.Mentions("stencil_only_square") || cause.evidence.Mentions("conv_only_square");
    if (!is_of_sides || !cause.tests) return false;
    // Stated of tests with a known shape; others whose sides differ have the same index.
    return std::ranges::any_of(*cause.tests, [&](const std::string& test) { return tests.contains(test); });
  });
}

/// An index may be computed from an unset element. The arrays of a suite have plain words for names.
bool IsByUnsetIndex(const Finding& error, const Names& tests, const ExerciseResult& result) {
  const std::optional<Finding>& advised = result.advice->finding;
  if (!advised || advised->kind != FindingKind::kUninitialised || advised->space != MemorySpace::kGlobal ||
      advised->object.arguments().empty() || advised->kernel != error.kernel)
    return false;
  return std::ranges::all_of(TestsNamed(tests, result),
                             [&](const TestResult* test) { return !GroupsOf(*advised, {*test}).empty(); });
}

bool IsLaunchOfAdvice(const Finding& error, const ExerciseResult& result) {
  const TestResult* first = FirstFailure(result);
  if (NameComesFirst(result) || first == nullptr || first->verdict != Verdict::kLaunchFailed) return false;
  return std::ranges::any_of(first->findings, [&](const Finding& each) {
    return each.kind == error.kind && each.where == error.where;
  });
}

/// A division that rounds down gives too few blocks for most sizes, and none for the smallest.
bool IsGridOfAdvice(const Finding& error, const Names& tests, const ExerciseResult& result) {
  const auto of_advice = TestsNamed(TestsOfAdvice(result), result);
  const auto leave_unwritten = [](const std::vector<const TestResult*>& all) {
    return std::ranges::all_of(all, [](const TestResult* test) { return LeavesUnwritten(*test); });
  };
  const bool ran = std::ranges::any_of(
      of_advice, [](const TestResult* test) { return test->verdict != Verdict::kLaunchFailed; });
  return ran && error.message.Mentions(say::no_blocks.id) && leave_unwritten(of_advice) &&
         leave_unwritten(TestsNamed(tests, result));
}

/// Blocks that read what others store because an index leaves its array: whether the accesses of that line
/// outside an array are the advice's.
bool IsByStrayedIndex(const Finding& error, const ExerciseResult& result) {
  if (!say::race_with_strayed_reads.Made(error.message) || !error.other) return false;
  const Finding* outside = nullptr;
  Names tests;
  for (const TestResult& test : result.tests) {
    for (const Finding& each : test.findings) {
      if (each.kind != FindingKind::kOutOfBounds || each.where != *error.other) continue;
      if (outside == nullptr) outside = &each;
      tests.insert(test.name);
    }
  }
  return outside != nullptr && FollowsFromAdvice(*outside, tests, result);
}

}  // namespace

bool FollowsFromAdvice(const Finding& error, const Names& tests, const ExerciseResult& result) {
  if (!result.advice) return false;
  switch (error.kind) {
    case FindingKind::kOutOfBounds:
      return IsByIndexOfAdvice(error, tests, result) || IsOfWrongFactor(error, result) ||
             IsByExchangedSides(tests, result) || IsByUnsetIndex(error, tests, result);
    case FindingKind::kRace:
      return (error.space == MemorySpace::kGlobal && IsByExchangedSides(tests, result)) ||
             IsByStrayedIndex(error, result) || IsByUnstoredElements(error, result);
    case FindingKind::kUninitialised: return IsUnstoredByAdvice(error, result);
    case FindingKind::kInvalidLaunch:
      return IsLaunchOfAdvice(error, result) || IsGridOfAdvice(error, tests, result);
    default: return false;
  }
}

bool LeavesUnwritten(const TestResult& test) {
  return !test.wrong.empty() && say::never_written.Made(test.wrong.front().note);
}

}  // namespace warplings
