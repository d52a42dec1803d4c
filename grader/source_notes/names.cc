// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/names.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "grader/build/argument_names.h"
#include "grader/build/element_allocations.h"
#include "grader/build/local_arrays.h"
#include "grader/build/source_places.h"
#include "grader/build/strayed_reads.h"
#include "grader/build/thread_indices.h"
#include "grader/build/wrapped_index.h"
#include "grader/messages/build.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/source_notes/visit.h"

namespace warplings {

Message ListNames(const std::vector<std::string>& names) {
  Message listed = say::name_in_code(names.front());
  for (std::size_t i = 1; i < names.size(); ++i)
    listed =
        i + 1 < names.size() ? say::and_then_name(listed, names[i]) : say::and_last_name(listed, names[i]);
  return listed;
}

void NameKernelArguments(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    const Message message = finding.message, object = finding.object;
    NameArguments(finding, result.source);
    ExplainWrappedIndex(finding, result.source);
    Remember(message, finding.message, renamed);
    Remember(object, finding.object, renamed);
  });
  Rename(result, renamed);
}

void NameLocalArrayElements(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    const Message message = finding.message;
    NameLocalArray(finding, result.source);
    Remember(message, finding.message, renamed);
  });
  Rename(result, renamed);
}

namespace {

/// Of a read of a shared element that nobody has stored: what to ask where that is padding. Or empty.
Message ReadOfPadding(std::string_view source, const Message& message,
                      const std::map<std::string, PaddedArray>& padded) {
  if (!say::nobody_stored_shared.Made(message) && !say::threads_did_not_store_shared.Made(message)) return {};
  const Message& place = message.arguments().at(0).inner.at(0);
  if (!say::numbered_element.Made(place)) return {};
  const Message& object = place.arguments().front().inner.at(0);
  if (!say::IsSharedObject(object)) return {};
  const std::string name = object.arguments().front().text;
  const auto array = padded.find(name);
  if (array == padded.end()) return {};
  const auto& [columns, extent] = array->second;
  if (place.arguments().back().number % extent < columns) return {};
  const auto line = static_cast<int>(message.arguments().at(1).number);
  return HasSubscripts(source, line, name)
             ? say::padding_read_by_subscript(place, line, name, columns - 1)
             : say::padding_read_by_pointer(place, line, name, say::Count(extent, "element"));
}

}  // namespace

void NameElements(ExerciseResult& result) {
  const auto extents = SharedExtents(result.source);
  if (extents.empty()) return;
  const auto padded = PaddedArrays(result.source);
  Visit(result, [&](Message& message) {
    if (Message padding = ReadOfPadding(result.source, message, padded); !padding.empty())
      message = std::move(padding);
    if (!say::numbered_element.Made(message)) return;
    const std::vector<Argument>& arguments = message.arguments();
    if (arguments.front().inner.empty() || !say::IsSharedObject(arguments.front().inner.front())) return;
    const std::string name = arguments.front().inner.front().arguments().front().text;
    const auto array = extents.find(name);
    if (array == extents.end()) return;
    const auto subscripts = Subscripts(arguments.back().number, array->second);
    if (subscripts) message = say::element_with_subscripts(name, *subscripts);
  });
}

namespace {

/// The name of the shared array in a message about an element of it; empty if it is about none.
std::string SharedArrayOf(const Message& place) {
  if (say::element_with_subscripts.Made(place) || say::IsSharedObject(place))
    return place.arguments().front().text;
  for (const Argument& argument : place.arguments()) {
    for (const Message& inner : argument.inner) {
      if (std::string name = SharedArrayOf(inner); !name.empty()) return name;
    }
  }
  return "";
}

}  // namespace

void NameLongRows(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    const bool is_of_threads = say::storing_threads.Made(message);
    if (!is_of_threads && !say::two_stores_of_one_line.Made(message)) return;
    const std::vector<Argument>& said = message.arguments();
    const std::string array = SharedArrayOf(said.at(is_of_threads ? 3 : 0).inner.at(0));
    const int line = static_cast<int>(said.back().number);
    const auto past = array.empty() ? std::nullopt : FindIndexPastRow(result.source, line, array);
    if (past)
      message = say::two_stores_past_row(say::shared_array(array), past->extent, say::Line(line), past->index,
                                         past->most);
  });
  // Here both values are wrong.
  Visit(result, [](Message& message) {
    if (!say::both.Made(message)) return;
    const Message first = message.arguments().at(0).inner.at(0);
    if (say::two_stores_past_row.Made(first)) message = first;
  });
}

void NameTileReads(ExerciseResult& result) {
  const auto by_column = FindSameIndex(result.source, 'x'), by_row = FindSameIndex(result.source, 'y');
  if (!by_column && !by_row) return;
  const auto fault = [&](const Message& question) -> Message {
    if (by_column && say::product_whose_row.Made(question))
      return say::tiles_read_at_one_column(say::Line(by_column->line), by_column->used, by_column->unused);
    if (by_row && say::product_whose_column.Made(question))
      return say::tiles_read_at_one_row(say::Line(by_row->line), by_row->used, by_row->unused);
    return {};
  };
  // The fault comes before what it leads to.
  const Visitor visitor = [&](Message& message) {
    const bool is_of_call = say::with_call.Made(message);
    const Message said = is_of_call ? message.arguments().at(1).inner.at(0) : message;
    if (!say::both.Made(said)) return;
    const Message found = fault(said.arguments().at(1).inner.at(0));
    if (found.empty()) return;
    const Message effect = said.arguments().at(0).inner.at(0);
    message =
        say::both(found, is_of_call ? say::with_call(message.arguments().at(0).inner.at(0), effect) : effect);
  };
  VisitWithExplanations(result, visitor);
}

namespace {

/// "P" of "`P[4]`", the place of a race.
Message ArrayOf(const Message& place) {
  const bool is_of_array =
      say::element_of.Made(place) || say::one_element_of.Made(place) || say::same_element_of.Made(place);
  return is_of_array ? place.arguments().at(0).inner.at(0) : Message();
}

}  // namespace

void NameStrayedReads(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    if (!say::race_with_reading_blocks.Made(finding.message) || !finding.other) return;
    const int storing = finding.where.line, reading = finding.other->line;
    if (!ReadsByMistake(result.source, storing, reading, say::NameOfArray(finding.object))) return;
    const Message before = finding.message;
    finding.message = say::race_with_strayed_reads(finding.object, say::Line(reading));
    Remember(before, finding.message, renamed);
  });
  if (renamed.empty()) return;
  Visit(result, [&](Message& message) {
    if (say::racing_blocks.Made(message)) {
      const std::vector<Argument>& said = message.arguments();
      if (!say::writes.Made(said.at(0).inner.at(0))) return;
      const auto stores = static_cast<int>(said.at(2).number), reads = static_cast<int>(said.at(4).number);
      const Message array = ArrayOf(said.at(1).inner.at(0));
      if (ReadsByMistake(result.source, stores, reads, say::NameOfArray(array)))
        message = say::strayed_reads(say::Line(reads), array, say::Line(stores));
      return;
    }
    Rename(message, renamed);
  });
}

namespace {

/// An access that has left the shared array of its line.
struct StrayedAccess {
  int line = 0;
  std::string left, reached;
  Message object;  ///< That it reaches: "shared array `Nds`".

  Message Said() const { return say::shared_index_leaves(say::Line(line), left, object); }
};

/// Whether a place is one of the submission, whose text is known.
bool IsInSource(const SourceLine& where, const ExerciseResult& result) {
  const auto name = [](const std::string& file) { return std::filesystem::path(file).filename(); };
  return where.line > 0 && name(where.file) == name(result.file);
}

/// Whether the source declares it `extern __shared__`: all such arrays begin at the same byte, so that no
/// index leaves one of them for another.
bool IsOfDynamicMemory(const std::string& source, const std::string& array) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  for (std::size_t at = 1; at + 2 < tokens.size(); ++at) {
    if (tokens[at].text != array || tokens[at + 1].text != "[" || tokens[at + 2].text != "]") continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}"})) --begin;
    for (; begin < at; ++begin) {
      if (tokens[begin].text == "extern") return true;
    }
  }
  return false;
}

/// The array that each line leaves where it gets to each variable; searched once.
using ArraysLeft = std::map<std::pair<int, std::string>, std::string>;

/// The one of the finding's two accesses that left its array, if one did.
std::optional<StrayedAccess> StrayedOf(const Finding& finding, const ExerciseResult& result,
                                       ArraysLeft& searched) {
  const bool is_of_shared = finding.space == MemorySpace::kShared && say::IsSharedObject(finding.object);
  const bool is_met = finding.kind == FindingKind::kRace || finding.kind == FindingKind::kUninitialised;
  if (!is_of_shared || !is_met) return std::nullopt;
  const std::string& reached = finding.object.arguments().at(0).text;
  for (const std::optional<SourceLine>& where : {std::optional(finding.where), finding.other}) {
    if (!where || !IsInSource(*where, result)) continue;
    const auto [known, is_new] = searched.try_emplace({where->line, reached});
    if (is_new) {
      const std::string left = ArrayLeftIn(result.source, where->line, reached);
      const bool are_one = !left.empty() && IsOfDynamicMemory(result.source, left) &&
                           IsOfDynamicMemory(result.source, reached);
      known->second = are_one ? "" : left;
    }
    if (!known->second.empty()) return StrayedAccess{where->line, known->second, reached, finding.object};
  }
  return std::nullopt;
}

/// What the finding says instead.
Message WordsOfStrayed(const Finding& finding, const StrayedAccess& strayed) {
  const std::vector<Argument>& said = finding.message.arguments();
  if (say::read_unwritten_element.Made(finding.message))
    return say::read_unwritten_outside_array(strayed.left, said.at(0).inner.at(0));
  const bool is_race = finding.kind == FindingKind::kRace && said.size() == 4 &&
                       std::ranges::all_of(said, [](const Argument& each) { return !each.inner.empty(); }) &&
                       said[1].inner[0] == say::ElementOf(finding.object);
  if (!is_race) return finding.message;
  const auto part = [&](std::size_t i) { return said[i].inner[0]; };
  if (strayed.line == finding.where.line)
    return say::race_outside_other_array(part(0), strayed.left, part(1), part(2), part(3));
  return say::race_reached_from_array(part(0), part(1), part(2), part(3), strayed.left,
                                      say::Line(strayed.line));
}

/// Whether a question asks who waits for whom, or who stores, at an element of shared memory.
bool AsksAboutSharedElement(const Message& message) {
  return say::racing_lines.Made(message) || say::racing_line.Made(message) ||
         say::storing_threads.Made(message) || say::storing_threads_and_lines.Made(message) ||
         say::race_of_two_lines.Made(message) || say::race_of_one_line.Made(message) ||
         say::two_stores_of_one_line.Made(message) || say::two_stores_of_two_lines.Made(message) ||
         say::stores_to_variable.Made(message) || say::stores_to_variable_in_lines.Made(message) ||
         say::nobody_stored_shared.Made(message) || say::threads_did_not_store_shared.Made(message) ||
         say::only_warps_stored.Made(message);
}

}  // namespace

void NameStrayedSharedAccesses(ExerciseResult& result) {
  if (result.source.find("__shared__") == std::string::npos) return;
  ArraysLeft searched;
  std::vector<Renamed> renamed;
  std::vector<StrayedAccess> strayed;
  VisitFindings(result, [&](Finding& finding) {
    const auto found = StrayedOf(finding, result, searched);
    if (!found) return;
    const Message before = finding.message;
    finding.message = WordsOfStrayed(finding, *found);
    Remember(before, finding.message, renamed);
    strayed.push_back(*found);
  });
  if (strayed.empty()) return;
  Rename(result, renamed);
  for (Misconception& each : result.misconceptions) {
    const auto found = each.finding ? StrayedOf(*each.finding, result, searched) : std::nullopt;
    if (!found) continue;
    each.evidence = found->Said();
    each.fact_first = true;
    each.message = say::compare_index_with_extents(found->left);
  }
  Visit(result, [&](Message& message) {
    if (!AsksAboutSharedElement(message)) return;
    const std::string reached = SharedArrayOf(message);
    for (const Argument& argument : message.arguments()) {
      if (argument.kind != Argument::Kind::kLine) continue;
      const auto found = std::ranges::find_if(strayed, [&](const StrayedAccess& each) {
        return each.line == argument.number && each.reached == reached;
      });
      if (found == strayed.end()) continue;
      message = say::both(found->Said(), say::compare_index_with_extents(found->left));
      return;
    }
  });
  // A barrier is beside the point then.
  Visit(result, [](Message& message) {
    if (!say::both.Made(message)) return;
    const Message first = message.arguments().at(0).inner.at(0);
    if (say::both.Made(first) && say::shared_index_leaves.Made(first.arguments().at(0).inner.at(0)))
      message = first;
  });
}

void NameElementAllocations(ExerciseResult& result) {
  std::optional<ElementAllocation> found;
  bool has_looked = false;
  Visit(result, [&](Message& message) {
    const bool is_of_allocation =
        say::own_allocation_outside.Made(message) || say::old_allocation_outside.Made(message);
    if (!is_of_allocation) return;
    if (!has_looked) found = FindElementAllocation(result.source);
    has_looked = true;
    if (!found) return;
    const Message why = say::allocation_without_sizeof(found->function, say::Line(found->line), found->size,
                                                       found->pointer, found->type);
    message = say::outside_because(static_cast<int>(message.arguments().at(0).number), why);
  });
  Visit(result, [&](Message& message) {
    if (!say::dynamic_index_outside.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const Message& array = said.at(1).inner.at(0);
    if (!say::IsSharedObject(array)) return;
    const std::string& name = array.arguments().at(0).text;
    const auto launch = FindElementLaunch(result.source, name);
    if (!launch) return;
    message = say::outside_because(
        static_cast<int>(said.at(0).number),
        say::launch_without_sizeof(say::Line(launch->line), launch->size, name, launch->type));
  });
}

void NameLocalArrays(ExerciseResult& result) {
  const auto is_of_local = [](Misconception& each) {
    bool is_it = false;
    Visit(each.evidence, [&](Message& message) { is_it |= say::local_memory_of_kernel.Made(message); });
    return is_it;
  };
  const auto cause = std::ranges::find_if(result.misconceptions, is_of_local);
  if (cause == result.misconceptions.end()) return;
  const auto found = FindRunTimeIndex(result.source);
  if (!found) return;
  using Why = RunTimeIndex::Why;
  const auto& [line, array, index, why, variable, loop_line] = *found;
  const bool is_of_loop = why == Why::kBounds || why == Why::kNotUnrolled;
  Message what = say::index_known_at_run_time(array, line, index);
  if (why == Why::kAddress) what = say::array_needs_an_address(array, line, variable);
  if (is_of_loop) {
    const auto& row = why == Why::kBounds ? say::index_without_bounds : say::index_not_unrolled;
    what = row(array, line, index, loop_line);
  }
  Visit(cause->evidence, [&](Message& message) {
    if (say::local_memory_of_kernel.Made(message)) message = what;
  });
  cause->fact_first = true;
  cause->message = why == Why::kAddress       ? say::inline_the_function()
                   : why == Why::kBounds      ? say::give_constant_bounds()
                   : why == Why::kNotUnrolled ? say::unroll_that_loop()
                                              : say::use_constant_indices();
}

}  // namespace warplings
