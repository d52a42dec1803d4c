// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/first_sentences.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/kept_variables.h"
#include "grader/build/lost_changes.h"
#include "grader/build/narrow_variables.h"
#include "grader/build/output_stores.h"
#include "grader/build/plain_code.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/source_notes/accesses.h"
#include "grader/source_notes/names.h"

namespace warplings {

namespace {

/// The fact that each suite states of a call whose results depend on earlier ones (grader/suite/judge.cc).
constexpr const char* kDependsOnEarlierCalls = "depends_on_earlier_calls";
/// A suite's: right for small numbers, wrong for large ones, and nothing else explains it.
constexpr const char* kWrongOnlyIfLarge = "hist_only_many_bins";
/// One of chapter 2: the rows of a matrix are taken for longer or shorter than they are.
constexpr const char* kWrongRowLength = "wrong_row_length";
/// And another: with k = 0, P keeps its old values.
constexpr const char* kNoZerosWritten = "rect_no_zeros_written";
/// And one of integers: only elements that are INT_MAX are wrong.
constexpr const char* kWrongOnlyAtTheGreatest = "merge_only_greatest";

/// What was seen, without the tests that it was seen in.
Message& WithoutTests(Message& evidence) {
  std::vector<Argument>& said = evidence.arguments();
  const bool names_test = said.size() > 1 && said.front().kind == Argument::Kind::kTest &&
                          said.back().kind == Argument::Kind::kMessage && !said.back().inner.empty();
  return names_test ? WithoutTests(said.back().inner.front()) : evidence;
}

/// Lets a report begin with what the source shows, which says more than the name of the misconception.
void BeginWith(const Message& shown, Misconception& misconception) {
  WithoutTests(misconception.evidence) = shown;
  misconception.fact_first = true;
}

void BeginWith(const Message& shown, const Message& what_to_do, Misconception& misconception) {
  BeginWith(shown, misconception);
  misconception.message = what_to_do;
}

/// The misconception that the report begins with; null if it begins with a test's step.
Misconception* FirstMisconception(ExerciseResult& result) {
  const bool is_first =
      result.advice && !result.advice->misconception.empty() && !result.misconceptions.empty();
  return is_first ? &result.misconceptions.front() : nullptr;
}

/// Whether that fact gave the misconception away.
bool IsOfFact(const Misconception& misconception, std::string_view id, const ExerciseResult& result) {
  return result.facts && std::ranges::any_of(*result.facts, [&](const Fact& fact) {
           Message seen = misconception.evidence, stated = fact.message;
           return fact.id == id && WithoutTests(seen) == WithoutTests(stated);
         });
}

/// Whether it names the condition, and what has to be checked: it is the whole cause.
bool NamesMissingCheck(const Message& why) {
  return say::condition_leaves_out.Made(why) || say::condition_is_before_loop.Made(why) ||
         say::condition_leaves_out_row.Made(why) || say::condition_leaves_out_column.Made(why) ||
         say::condition_checks_no_part.Made(why) || say::condition_checks_no_row.Made(why) ||
         say::condition_checks_no_column.Made(why) || say::condition_checks_other.Made(why) ||
         say::condition_of_tile_checks_other.Made(why) || say::condition_checks_before_loop.Made(why) ||
         say::condition_needs_all.Made(why) || say::condition_needs_either.Made(why);
}

}  // namespace

void BeginWithMissingCheck(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || first->fact_first || !result.advice->finding) return;
  const Finding& shown = *result.advice->finding;
  if (shown.kind != FindingKind::kOutOfBounds || !say::element_past_end.Made(shown.message)) return;
  const bool is_first_thread = shown.thread == Dim3{0, 0, 0} && shown.block == Dim3{0, 0, 0};
  const Message why =
      WhyNotKeptAway(result.source, shown.where.line, shown.message, Message(), is_first_thread);
  if (!NamesMissingCheck(why)) return;
  const Message follows =
      say::condition_needs_either.Made(why) ? Message(say::then_threads_leave()) : say::skip_the_access();
  BeginWith(OutsideBecause(shown.where.line, why), follows, *first);
}

void NameSharedTotals(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        race->where != *race->other || !say::IsSharedObject(race->object))
      continue;
    const std::string& array = race->object.arguments().at(0).text;
    const auto element = OneElementAddedTo(result.source, race->where.line, array);
    if (!element) continue;
    BeginWith(say::threads_add_to_one(say::Line(race->where.line), *element),
              say::add_atomically_or_in_tree(*element), each);
  }
}

void ShowWrongRowLength(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || first->finding || !IsOfFact(*first, kWrongRowLength, result)) return;
  const Finding* outside = nullptr;
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (finding.kind != FindingKind::kOutOfBounds || finding.space != MemorySpace::kGlobal) continue;
      if (outside != nullptr && outside->where != finding.where) return;
      const bool is_first = outside == nullptr || !say::element_past_end.Made(outside->message);
      if (is_first) outside = &finding;
    }
  }
  if (outside == nullptr || !say::element_past_end.Made(outside->message)) return;
  first->finding = *outside;
  result.advice->finding = *outside;
}

void NameOtherSideGuard(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    if (!IsOfFact(each, kNoZerosWritten, result)) continue;
    const auto guard = FindOtherSideGuard(result.source, "P", "k", "l");
    if (!guard) return;
    BeginWith(say::store_asks_for_other_side(say::Line(guard->line), guard->column, "k", "l"),
              say::compare_with_columns(), each);
  }
}

void NameKeptVariables(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || !IsOfFact(*first, kDependsOnEarlierCalls, result)) return;
  std::vector<KeptVariable> kept = FindKeptVariables(result.source);
  std::erase_if(kept, &KeptVariable::is_set_in_each_call);
  const auto counter = std::ranges::find_if(kept, &KeptVariable::is_only_counted_up);
  const auto atomic = std::ranges::find_if(kept, &KeptVariable::is_only_atomic);
  const auto address = std::ranges::find_if(kept, &KeptVariable::is_compared_address);
  std::vector<std::string> pointers;
  for (const KeptVariable& each : kept) {
    if (each.is_pointer) pointers.push_back(each.name);
  }
  constexpr std::size_t kMostNames = 4;
  if (counter != kept.end()) {
    BeginWith(say::nothing_sets_back(counter->name, say::Line(counter->line)), say::which_line_sets_back(),
              *first);
  } else if (atomic != kept.end()) {
    BeginWith(say::variable_is_kept(atomic->name, say::Line(atomic->line)), say::which_value_is_kept(),
              *first);
  } else if (address != kept.end()) {
    BeginWith(say::address_is_kept(address->name, say::Line(address->line)), say::which_step_is_skipped(),
              *first);
  } else if (!pointers.empty() && pointers.size() <= kMostNames &&
             std::ranges::none_of(kept, &KeptVariable::is_array)) {
    BeginWith(say::memory_is_kept(ListNames(pointers)), say::which_elements_are_old(), *first);
  } else if (kept.size() == 1) {
    const KeptVariable& only = kept.front();
    const say::Line line = only.line;
    if (only.is_array) {
      BeginWith(say::array_is_kept(only.name, line), say::which_elements_are_old(), *first);
    } else {
      BeginWith(say::variable_is_kept(only.name, line), *first);
    }
  } else if (!kept.empty() && kept.size() <= kMostNames) {
    std::vector<std::string> names;
    for (const KeptVariable& each : kept) names.push_back(each.name);
    BeginWith(say::variables_are_kept(ListNames(names)), *first);
  }
}

void NameMarks(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || !IsOfFact(*first, kWrongOnlyAtTheGreatest, result)) return;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  for (std::size_t at = 2; at < tokens.size(); ++at) {
    const bool is_stored =
        tokens[at].text == "INT_MAX" && tokens[at - 1].text == "=" && tokens[at - 2].text == "]";
    if (!is_stored) continue;
    BeginWith(say::mark_is_an_element(tokens[at].line), say::which_index_tells_the_end(), *first);
    return;
  }
}

void NameNarrowVariables(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || !IsOfFact(*first, kWrongOnlyIfLarge, result)) return;
  const auto narrow = FindNarrowVariables(result.source);
  if (!narrow) return;
  constexpr std::size_t kMostNames = 4;
  if (narrow->names.size() > kMostNames) return;
  BeginWith(say::narrow_variables(ListNames(narrow->names), narrow->type, narrow->most),
            say::which_value_is_larger(), *first);
}

}  // namespace warplings
