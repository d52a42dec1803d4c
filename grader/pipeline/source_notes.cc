// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/source_notes.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/argument_names.h"
#include "grader/build/calls.h"
#include "grader/build/element_allocations.h"
#include "grader/build/grid_strides.h"
#include "grader/build/host_code.h"
#include "grader/build/host_divisions.h"
#include "grader/build/idioms.h"
#include "grader/build/kept_variables.h"
#include "grader/build/local_arrays.h"
#include "grader/build/lost_changes.h"
#include "grader/build/moved_accesses.h"
#include "grader/build/moved_pointers.h"
#include "grader/build/narrow_variables.h"
#include "grader/build/own_shuffles.h"
#include "grader/build/plain_code.h"
#include "grader/build/race_loops.h"
#include "grader/build/replaced_pointers.h"
#include "grader/build/row_lengths.h"
#include "grader/build/shared_reads.h"
#include "grader/build/source_places.h"
#include "grader/build/strayed_reads.h"
#include "grader/build/thread_indices.h"
#include "grader/build/unset_variables.h"
#include "grader/build/whole_variables.h"
#include "grader/build/wrapped_index.h"
#include "grader/messages/build.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"

namespace warplings {
namespace {

/// The fact that each suite states of a call whose results depend on earlier ones (grader/suite/judge.cc).
constexpr const char* kDependsOnEarlierCalls = "depends_on_earlier_calls";
/// A suite's: right for small numbers, wrong for large ones, and nothing else explains it.
constexpr const char* kWrongOnlyIfLarge = "hist_only_many_bins";
/// And one of integers: only elements that are INT_MAX are wrong.
constexpr const char* kWrongOnlyAtTheGreatest = "merge_only_greatest";

/// "k" of "space::k<16>".
std::string_view BaseName(std::string_view kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t colons = kernel.rfind("::");
  return colons == std::string_view::npos ? kernel : kernel.substr(colons + 2);
}

/// All launches of a kernel had blocks of one row, or of one layer, and the kernel needs more.
std::optional<Slip> FlatLaunchOf(const ExerciseResult& result) {
  std::map<std::string, Dim3> largest;
  for (const TestResult& test : result.tests) {
    for (const LaunchRecord& launch : test.launches) {
      Dim3& block = largest[launch.kernel];
      block = {std::max(block.x, launch.block.x), std::max(block.y, launch.block.y),
               std::max(block.z, launch.block.z)};
    }
  }
  for (const auto& [kernel, block] : largest) {
    if (block.y == 1) {
      if (const auto flat = FindFlatLaunch(result.source, BaseName(kernel), 'y'))
        return Slip{flat->block_line,
                    say::block_without_rows(say::Line(flat->use_line), say::Line(flat->block_line), block.x)};
    }
    if (block.z == 1) {
      if (const auto flat = FindFlatLaunch(result.source, BaseName(kernel), 'z'))
        return Slip{flat->block_line,
                    say::block_without_layers(say::Line(flat->use_line), say::Line(flat->block_line), block.x,
                                              block.y)};
    }
  }
  return std::nullopt;
}

/// A thread read elements of an array of its own that it had not stored: those that others store.
std::optional<Slip> UnsharedArrayOf(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (finding.kind != FindingKind::kUninitialised || finding.space != MemorySpace::kLocal) continue;
      if (const auto array = FindUnsharedArray(result.source, finding.where.line))
        return Slip{array->line, say::array_lacks_shared(array->name, say::Line(array->line))};
    }
  }
  return std::nullopt;
}

/// A pointer of the host that a kernel used: whatever else is wrong follows from it.
std::optional<Slip> HostPointerOf(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      const bool is_named = say::parameter_outside_memory.Made(finding.message);
      if (!is_named && !say::argument_outside_memory.Made(finding.message)) continue;
      const std::vector<Argument>& arguments = finding.message.arguments();
      const std::int64_t number = arguments.at(2).number;
      const std::string name = is_named ? arguments.at(2).text : "";
      return Slip{finding.where.line, say::argument_is_no_device_memory(
                                          say::Line(finding.where.line), arguments.at(0).inner.at(0),
                                          name.empty() ? say::argument(number) : say::parameter_named(name))};
    }
  }
  return std::nullopt;
}

/// Threads that race in shared memory because a condition keeps most of the block away from the barrier
/// between them: the barrier that the reader looks for is there. An exercise's own words about such a barrier
/// stay.
std::optional<Slip> SkippedBarrierOf(const ExerciseResult& result) {
  const bool is_told = std::ranges::any_of(result.misconceptions, [](const Misconception& each) {
    return each.finding && each.finding->kind == FindingKind::kDivergentBarrier;
  });
  if (is_told) return std::nullopt;
  for (const TestResult& test : result.tests) {
    for (const Finding& race : test.findings) {
      const bool is_shared_race = race.kind == FindingKind::kRace && race.severity == Severity::kError &&
                                  race.space == MemorySpace::kShared;
      if (!is_shared_race) continue;
      for (const Finding& skipped : test.findings) {
        if (!say::barrier_skipped.Made(skipped.message) || skipped.kernel != race.kernel) continue;
        const std::vector<Argument>& said = skipped.message.arguments();
        const std::int64_t threads = said.at(0).number, all = said.at(1).number;
        if (2 * threads <= all) continue;
        return Slip{skipped.where.line,
                    say::most_skip_barrier(say::Line(skipped.where.line), threads, all,
                                           say::Line(static_cast<int>(said.at(2).number)))};
      }
    }
  }
  return std::nullopt;
}

/// An access right outside an array by an index that is limited to a length: no other condition is missing.
std::optional<Slip> ClampOf(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (finding.kind != FindingKind::kOutOfBounds || finding.severity != Severity::kError) continue;
      const int line = finding.where.line;
      if (const auto clamp = FindClampToLength(result.source, line))
        return Slip{line, say::outside_because(say::Line(line),
                                               say::clamp_reaches_the_end(clamp->written, clamp->length))};
    }
  }
  return std::nullopt;
}

/// A memset or a copy that wipes what the kernel has stored: what the values are instead says nothing of the
/// kernel then.
std::optional<Slip> OverwrittenResultsOf(const ExerciseResult& result) {
  const bool any_wrong =
      std::ranges::any_of(result.tests, [](const TestResult& test) { return test.wrong_count > 0; });
  const auto late = any_wrong ? FindOverwrittenResults(result.source, result.exercise) : std::nullopt;
  if (!late) return std::nullopt;
  return Slip{late->line, say::results_are_overwritten(late->call, say::Line(late->line), late->target,
                                                       say::Line(late->launch_line))};
}

/// A variable of the device that is filled after the launch which reads it: a call uses what the call before
/// left there.
std::optional<Slip> LateSymbolOf(const ExerciseResult& result) {
  const auto late = FindLateSymbol(result.source, result.exercise);
  if (!late) return std::nullopt;
  return Slip{late->line, say::symbol_is_filled_late(late->call, say::Line(late->line), late->target,
                                                     say::Line(late->launch_line))};
}

/// A slip that the source shows, or the source and what the tests saw together: that where no misconception
/// of the exercise was recognised, whose words are about its own code. Where arrays are confused with other
/// memory, such words are beside the point. Limits that are exceeded have another reason.
std::optional<Slip> SlipOf(const ExerciseResult& result) {
  if (auto slip = FindSlip(result.source)) return slip;
  const bool goes_wrong = std::ranges::any_of(result.tests, [](const TestResult& test) {
    return test.wrong_count > 0 || std::ranges::any_of(test.findings, [](const Finding& finding) {
             return finding.severity == Severity::kError;
           });
  });
  if (!goes_wrong) return std::nullopt;
  if (auto slip = HostPointerOf(result)) return slip;
  if (auto slip = FindReplacedPointer(result.source)) return slip;
  if (auto slip = LateSymbolOf(result)) return slip;
  if (auto slip = SkippedBarrierOf(result)) return slip;
  if (auto slip = ClampOf(result)) return slip;
  if (!result.misconceptions.empty()) return std::nullopt;
  if (auto slip = OverwrittenResultsOf(result)) return slip;
  if (auto slip = FlatLaunchOf(result)) return slip;
  return UnsharedArrayOf(result);
}

/// nvcc's own words about that line ("expression has no effect") go: what follows from the slip is no second
/// mistake, and nor is what the tests saw.
void AddSlip(ExerciseResult& result) {
  const std::optional<Slip> slip = SlipOf(result);
  if (!slip) return;
  std::erase_if(result.diagnostics, [&](const Diagnostic& each) {
    return each.severity == Severity::kWarning && each.where.line == slip->line;
  });
  if (result.verdict == Verdict::kPassed) {
    Diagnostic warning;
    warning.severity = Severity::kWarning;
    warning.where = {result.file, slip->line};
    warning.message = slip->what;
    result.diagnostics.insert(result.diagnostics.begin(), std::move(warning));
    return;
  }
  result.next_step = slip->what;
  result.misconceptions.clear();
  if (!result.advice) return;
  result.advice->misconception.clear();
  result.advice->finding.reset();
  result.advice->later.clear();
}

/// Wrong values for which no cause is known, in a source with a variable that is read before it has a value:
/// no question about an element leads there. A sum is left out, because the compiler lets it start at 0.
void AdviseUnsetVariable(ExerciseResult& result) {
  if (result.verdict != Verdict::kWrongResult || !result.misconceptions.empty()) return;
  const auto unset = std::ranges::find_if(result.diagnostics, [](const Diagnostic& each) {
    return say::variable_read_unset.Made(each.message) || say::variable_used_unset.Made(each.message);
  });
  if (unset == result.diagnostics.end()) return;
  result.next_step = unset->message;
  if (result.advice) result.advice->finding.reset();
}

/// Wrong values for which no cause is known, in a source that passes two arguments in each other's place.
void AdviseExchangedArguments(ExerciseResult& result) {
  if (result.verdict != Verdict::kWrongResult || !result.misconceptions.empty()) return;
  const auto exchanged = FindExchangedArguments(result.source);
  if (!exchanged) return;
  result.next_step = say::arguments_exchanged(say::Line(exchanged->line), exchanged->first, exchanged->second,
                                              exchanged->function);
  if (result.advice) result.advice->finding.reset();
}

/// "-0.4317" or "31.5", but neither "25" nor "nan".
bool HasFraction(const std::string& number) {
  return number.find('.') != std::string::npos &&
         std::isdigit(static_cast<unsigned char>(number.back())) != 0;
}

/// Wrong values that are whole although the right ones are not, for which no cause is known, in a source that
/// stores floats in variables of whole numbers.
void AdviseWholeVariable(ExerciseResult& result) {
  if (result.verdict != Verdict::kWrongResult || !result.misconceptions.empty()) return;
  const auto is_rounded = [](const WrongElement& each) {
    const std::string yours = English(each.actual);
    const bool is_whole = yours.find_first_not_of("-0123456789") == std::string::npos;
    return is_whole && !yours.empty() && HasFraction(English(each.expected));
  };
  const bool are_rounded = std::ranges::any_of(result.tests, [&](const TestResult& test) {
    return !test.wrong.empty() && std::ranges::all_of(test.wrong, is_rounded);
  });
  if (!are_rounded) return;
  const auto variable = FindWholeVariable(result.source);
  if (!variable) return;
  result.next_step = say::whole_variable(variable->name, say::Line(variable->line), variable->type);
  if (result.advice) result.advice->finding.reset();
}

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
  misconception.message = English(what_to_do);
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

using Visitor = std::function<void(Message&)>;

/// The message, and then those within it.
void Visit(Message& message, const Visitor& visitor) {
  visitor(message);
  for (Argument& argument : message.arguments()) {
    for (Message& inner : argument.inner) Visit(inner, visitor);
  }
}

void VisitFindings(ExerciseResult& result, const std::function<void(Finding&)>& visitor) {
  for (TestResult& test : result.tests) std::ranges::for_each(test.findings, visitor);
  if (result.facts) {
    for (Fact& fact : *result.facts) {
      if (fact.finding) visitor(*fact.finding);
    }
  }
  for (Misconception& each : result.misconceptions) {
    if (each.finding) visitor(*each.finding);
  }
  if (result.advice && result.advice->finding) visitor(*result.advice->finding);
}

/// Whatever a report says of the run. A message that stands in two places stays the same in both.
void Visit(ExerciseResult& result, const Visitor& visitor) {
  Visit(result.next_step, visitor);
  for (TestResult& test : result.tests) {
    Visit(test.reason, visitor);
    Visit(test.next_step, visitor);
  }
  if (result.facts) {
    for (Fact& fact : *result.facts) Visit(fact.message, visitor);
  }
  for (Misconception& each : result.misconceptions) Visit(each.evidence, visitor);
  VisitFindings(result, [&](Finding& finding) { Visit(finding.message, visitor); });
}

/// The same, and what explains wrong values.
void VisitWithExplanations(ExerciseResult& result, const Visitor& visitor) {
  Visit(result, visitor);
  for (TestResult& test : result.tests) {
    if (!test.explanation) continue;
    for (Message& fact : test.explanation->facts) Visit(fact, visitor);
  }
}

/// What a finding says, before and after its arguments got names.
struct Renamed {
  Message before, after;
  bool is_ambiguous = false;  ///< Arguments of two kernels have different names.
};

void Remember(const Message& before, const Message& after, std::vector<Renamed>& renamed) {
  if (before == after) return;
  const auto known = std::ranges::find(renamed, before, &Renamed::before);
  if (known == renamed.end()) {
    renamed.push_back({before, after});
  } else if (!(known->after == after)) {
    known->is_ambiguous = true;
  }
}

/// "`out`" for "argument 2": a kernel's parameter that points to memory of the submission's own; and which
/// unsigned index went below 0.
void NameKernelArguments(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    const Message message = finding.message, object = finding.object;
    NameArguments(finding, result.source, true);
    ExplainWrappedIndex(finding, result.source);
    Remember(message, finding.message, renamed);
    Remember(object, finding.object, renamed);
  });
  if (renamed.empty()) return;
  Visit(result, [&](Message& message) {
    const auto known = std::ranges::find(renamed, message, &Renamed::before);
    if (known != renamed.end() && !known->is_ambiguous) message = known->after;
  });
}

/// Of a read of a shared element that nobody has stored: what to ask where that is padding. Or empty.
Message ReadOfPadding(std::string_view source, const Message& message,
                      const std::map<std::string, PaddedArray>& padded) {
  if (!say::nobody_stored_shared.Made(message)) return {};
  const Message& place = message.arguments().at(0).inner.at(0);
  if (!say::numbered_element.Made(place)) return {};
  const Message& object = place.arguments().front().inner.at(0);
  if (!say::shared_array.Made(object)) return {};
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

/// "`Nds[1][0]`" for "element 16 of shared array Nds".
void NameElements(ExerciseResult& result) {
  const auto extents = SharedExtents(result.source);
  if (extents.empty()) return;
  const auto padded = PaddedArrays(result.source);
  Visit(result, [&](Message& message) {
    if (Message padding = ReadOfPadding(result.source, message, padded); !padding.empty())
      message = std::move(padding);
    if (!say::numbered_element.Made(message)) return;
    const std::vector<Argument>& arguments = message.arguments();
    if (arguments.front().inner.empty() || !say::shared_array.Made(arguments.front().inner.front())) return;
    const std::string name = arguments.front().inner.front().arguments().front().text;
    const auto array = extents.find(name);
    if (array == extents.end()) return;
    const auto subscripts = Subscripts(arguments.back().number, array->second);
    if (subscripts) message = say::element_with_subscripts(name, *subscripts);
  });
}

/// The name of the shared array in a message about an element of it; empty if it is about none.
std::string SharedArrayOf(const Message& place) {
  if (say::element_with_subscripts.Made(place) || say::shared_array.Made(place))
    return place.arguments().front().text;
  for (const Argument& argument : place.arguments()) {
    for (const Message& inner : argument.inner) {
      if (std::string name = SharedArrayOf(inner); !name.empty()) return name;
    }
  }
  return "";
}

/// Threads that store to one element of a shared array because a row is shorter than the line takes it for.
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

/// Values tell that each product has its factor from another row of M. Where the source multiplies elements
/// of two tiles that are both read at the thread's column, neither M's load nor P's store is at fault.
void NameTileReads(ExerciseResult& result) {
  const auto by_column = FindSameIndex(result.source, 'x'), by_row = FindSameIndex(result.source, 'y');
  if (!by_column && !by_row) return;
  const Visitor visitor = [&](Message& message) {
    if (by_column && say::product_whose_row.Made(message)) {
      message = say::tiles_read_at_one_column(say::Line(by_column->line), by_column->used, by_column->unused);
    } else if (by_row && say::product_whose_column.Made(message)) {
      message = say::tiles_read_at_one_row(say::Line(by_row->line), by_row->used, by_row->unused);
    }
  };
  VisitWithExplanations(result, visitor);
}

/// "P" of "`P[4]`", the place of a race.
Message ArrayOf(const Message& place) {
  const bool is_of_array =
      say::element_of.Made(place) || say::one_element_of.Made(place) || say::same_element_of.Made(place);
  return is_of_array ? place.arguments().at(0).inner.at(0) : Message();
}

/// Blocks that read what others write, because an index leaves another array: that is no matter of order.
void NameStrayedReads(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    if (!say::race_with_reading_blocks.Made(finding.message) || !finding.other) return;
    const int storing = finding.where.line, reading = finding.other->line;
    if (!ReadsByMistake(result.source, storing, reading, English(finding.object))) return;
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
      if (ReadsByMistake(result.source, stores, reads, English(array)))
        message = say::strayed_reads(say::Line(reads), array, say::Line(stores));
      return;
    }
    const auto known = std::ranges::find(renamed, message, &Renamed::before);
    if (known != renamed.end() && !known->is_ambiguous) message = known->after;
  });
}

/// Of a test whose call was refused: which call it is, and why, where the source shows both.
void ExplainRefusedCalls(ExerciseResult& result) {
  Message explained;
  for (TestResult& test : result.tests) {
    if (!say::arguments_of_refused_call.Made(test.next_step)) continue;
    for (const Finding& finding : test.findings) {
      const Message why = finding.where.line != 0 && finding.severity == Severity::kError
                              ? WhyRefused(result.source, finding, result.exercise)
                              : Message();
      const Message too_large =
          finding.severity == Severity::kError ? WhyTooLarge(result.source, finding) : Message();
      if (why.empty() && too_large.empty()) continue;
      const std::string& call = finding.message.arguments().at(0).text;
      test.next_step = why.empty() ? too_large
                                   : say::call_refused_because(call.substr(0, call.find(' ')),
                                                               say::Line(finding.where.line), why);
      if (explained.empty()) explained = test.next_step;
      break;
    }
  }
  if (say::arguments_of_refused_call.Made(result.next_step) && !explained.empty())
    result.next_step = explained;
}

/// Host code has no line numbers, but its text may show which line a refusal or a crash is about.
void NameHostLines(ExerciseResult& result) {
  const auto name = [&](Finding& finding) {
    if (finding.where.line != 0) return false;
    const auto line = LineOfRefused(result.source, finding, result.exercise);
    // As the compiler names it.
    if (line) finding.where = {std::filesystem::path(result.file).filename(), *line};
    return line.has_value();
  };
  for (TestResult& test : result.tests) {
    for (Finding& finding : test.findings) {
      if (name(finding) && test.reason == finding.message)
        test.reason = say::in_line(finding.where.line, finding.message);
    }
  }
  for (Misconception& each : result.misconceptions) {
    if (each.finding) name(*each.finding);
  }
  if (result.advice && result.advice->finding) name(*result.advice->finding);
  const auto uses_device_memory = [](const TestResult& test) {
    return say::device_memory_on_host.Made(test.next_step);
  };
  if (std::ranges::none_of(result.tests, uses_device_memory)) return;
  const auto use = FindHostUse(result.source, result.exercise);
  // Of an array without elements the pointer is null.
  Visit(result, [&](Message& message) {
    if (!say::device_memory_on_host.Made(message) && !say::find_null_pointer.Made(message)) return;
    message = use ? DescribeHostUse(*use) : say::device_memory_on_host();
  });
}

void NameHostDivisions(ExerciseResult& result) {
  std::optional<Message> named;
  Visit(result, [&](Message& message) {
    if (!say::look_for_division_by_zero.Made(message)) return;
    if (!named) named = AdviceOnDivisionByZero(result.source);
    message = *named;
  });
}

void ExplainMissedBarriers(ExerciseResult& result) {
  const auto explain = [&](Finding& finding) {
    const bool is_part = say::part_of_warp_at_barrier.Made(finding.message);
    if (!is_part && !say::barrier_after_exit.Made(finding.message)) return;
    const auto missed = WhyMissed(result.source, finding.where.line);
    if (!missed) return;
    const auto& numbers = finding.message.arguments();
    if (is_part) {  // Who returned is not among those that are missing.
      if (missed->why == MissedBarrier::Why::kCondition)
        finding.message = say::part_of_warp_skips_barrier(numbers.at(0).number, numbers.at(1).number,
                                                          numbers.at(2).number, say::Line(missed->line));
      return;
    }
    const auto& row =
        missed->why == MissedBarrier::Why::kCondition ? say::barrier_skipped : say::barrier_after_return;
    finding.message = row(numbers.at(0).number, numbers.at(1).number, say::Line(missed->line));
  };
  for (TestResult& test : result.tests) std::ranges::for_each(test.findings, explain);
  if (result.advice && result.advice->finding) explain(*result.advice->finding);
}

/// Of an access outside an array: whether its index is the first one past the end.
bool IsRightPastEnd(const Message& access) {
  if (!say::element_past_end.Made(access)) return false;
  return access.arguments().at(2).number == access.arguments().at(3).number;
}

/// "`row`, `k` and `tx`".
Message ListNames(const std::vector<std::string>& names) {
  Message listed = say::name_in_code(names.front());
  for (std::size_t i = 1; i < names.size(); ++i)
    listed =
        i + 1 < names.size() ? say::and_then_name(listed, names[i]) : say::and_last_name(listed, names[i]);
  return listed;
}

/// What of the array the line uses: "it uses `row`", "`y[32]` is in column `c + 32` of `Y`".
Message WhatIsUsed(const SumCheck& sums, const Message& array) {
  if (!sums.is.empty()) return say::line_uses_variable(sums.used, sums.is);
  if (sums.accessed.empty()) return say::line_uses(sums.used);
  using Part = SumCheck::Part;
  const auto& row = sums.part == Part::kRow      ? say::access_is_in_row
                    : sums.part == Part::kColumn ? say::access_is_in_column
                                                 : say::access_is_element;
  return row(sums.accessed, sums.used, array);
}

/// Of a condition that checks another sum than the index has.
Message WhatOneChecksInstead(const SumCheck& sums, const Message& array) {
  const Message used = WhatIsUsed(sums, array);
  if (sums.is_alone) return say::condition_checks_less(sums.line, sums.checked, used, sums.used);
  const Message access = sums.element.empty() ? say::that_line() : say::name_in_code(sums.element);
  if (sums.bound.empty())
    return say::condition_checks_other_limit(sums.line, sums.checked, used, access, sums.used);
  if (sums.is_in_loop && sums.element.empty())
    return say::condition_checks_before_loop(sums.line, sums.checked, used, sums.used, sums.bound);
  return say::condition_checks_other(sums.line, sums.checked, used, access, sums.used, sums.bound);
}

/// How conditions compare the sums in an index of that array.
Message WhatSumsTell(const SumCheck& sums, const Message& array) {
  switch (sums.kind) {
    case SumCheck::Kind::kOther: return WhatOneChecksInstead(sums, array);
    case SumCheck::Kind::kComputedLimit:
      return say::condition_has_computed_limit(sums.line, sums.checked, sums.limit, sums.limit_line);
    case SumCheck::Kind::kComputedIndex:
      return sums.computed.size() == 1 ? say::index_is_computed(sums.line, sums.computed.front(), array)
                                       : say::indices_are_computed(ListNames(sums.computed), array);
    case SumCheck::Kind::kUnchecked:
      if (sums.part == SumCheck::Part::kRow)
        return say::condition_leaves_out_row(sums.line, sums.used, array);
      if (sums.part == SumCheck::Part::kColumn)
        return say::condition_leaves_out_column(sums.line, sums.used, array);
      return say::condition_leaves_out(sums.line, sums.used);
    case SumCheck::Kind::kChecked: break;
  }
  return say::condition_limit_is_wrong(sums.line, array);
}

/// Where the line's access is through a pointer that moves, or that is already outside when the kernel
/// begins.
Message WhatPointersTell(std::string_view source, int line, const Message& access,
                         const std::set<std::string>& zero) {
  const Message& array = access.arguments().at(1).inner.at(0);
  if (!zero.empty() && say::element_past_end.Made(access) && access.arguments().at(2).number > 0) {
    if (const auto passed = FindPassedSum(source, line, English(array), zero))
      return say::pointer_begins_outside(array, say::Line(passed->line), passed->sum);
  }
  const auto moved = FindMovedPointer(source, line, English(array));
  if (!moved) return {};
  if (!moved->length.empty()) {
    return say::pointer_moves_by_other_rows(say::Line(moved->line), moved->pointer, moved->step,
                                            say::Line(moved->length_line), moved->length, array);
  }
  if (moved->condition_line == 0) return {};
  return say::pointer_moves_after_check(say::Line(moved->condition_line), say::Line(moved->line),
                                        moved->pointer, moved->step);
}

/// Why a condition in the source did not keep a thread from that access in that line; empty if the source
/// does not show it.
Message WhyNotKeptAway(std::string_view source, int line, const Message& access, const Message& known,
                       bool is_first_thread) {
  const bool is_load = say::reads.Made(access.arguments().at(0).inner.at(0));
  const std::string array = English(access.arguments().at(1).inner.at(0));
  if (const auto length = FindWrongRowLength(source, line, array)) {
    return say::row_length_is_wrong(access.arguments().at(1).inner.at(0), length->column, length->needed,
                                    length->row, length->used);
  }
  const std::set<std::string> zero = is_first_thread ? ZeroInFirstThread(source) : std::set<std::string>();
  if (const auto clamp = FindClampToLength(source, line))
    return say::clamp_reaches_the_end(clamp->written, clamp->length);
  auto check = CheckOfAccess(source, line, is_load, array, zero);
  const bool lets_end = check && !check->should_compare.empty() && IsRightPastEnd(access);
  if (!lets_end && !(check && check->sums)) {
    if (Message why = WhatPointersTell(source, line, access, zero); !why.empty()) return why;
  }
  if (!check) return {};
  if (check->sums && check->sums->kind == SumCheck::Kind::kComputedIndex)
    return WhatSumsTell(*check->sums, access.arguments().at(1).inner.at(0));
  std::erase_if(check->unmentioned, [&](const std::string& name) { return zero.contains(name); });
  if (check->kind == AccessCheck::Kind::kNone)
    return say::which_element_if_any.Made(known) ? say::no_condition_before() : Message();
  if (lets_end) {
    const bool is_one_of_several = check->compares.find(' ') != std::string::npos;
    const auto& row = is_one_of_several ? say::condition_lets_the_end_by : say::condition_lets_the_end;
    return row(check->line, check->should_compare, check->compares);
  }
  if (check->sums && say::element_past_end.Made(access))
    return WhatSumsTell(*check->sums, access.arguments().at(1).inner.at(0));
  constexpr std::size_t kMostNames = 3;
  const std::vector<std::string>& names = check->unmentioned;
  if (!check->mentions_any || names.size() > kMostNames)
    return say::condition_lets_it(check->line, access.arguments().at(1).inner.at(0));
  return names.empty() ? say::condition_mentions_all(check->line)
                       : say::condition_misses(check->line, ListNames(names));
}

/// An access outside an array that the compiler moved to an earlier line: the line that it is of, and, in the
/// step, that it was moved.
void NameMovedAccesses(ExerciseResult& result) {
  struct Moved {
    Message access;
    int from = 0, to = 0;
    std::string array;
  };
  std::vector<Moved> all;
  VisitFindings(result, [&](Finding& finding) {
    if (finding.kind != FindingKind::kOutOfBounds) return;
    const std::string array = English(finding.object);
    const int from = finding.where.line, to = LineOfMovedAccess(result.source, from, array);
    if (to == 0) return;
    finding.where.line = to;
    all.push_back({finding.message, from, to, array});
  });
  if (all.empty()) return;
  const auto says = [](const Message& message, const Moved& moved) {
    const std::vector<Argument>& said = message.arguments();
    return !said.empty() && said.front().kind == Argument::Kind::kLine && said.front().number == moved.from &&
           std::ranges::any_of(said, [&](const Argument& each) {
             return !each.inner.empty() && each.inner.front() == moved.access;
           });
  };
  const auto find = [&](const Message& message) {
    return std::ranges::find_if(all, [&](const Moved& moved) { return says(message, moved); });
  };
  std::vector<Message*> steps = {&result.next_step};
  for (TestResult& test : result.tests) steps.push_back(&test.next_step);
  for (Message* step : steps) {
    if (const auto moved = find(*step); moved != all.end()) {
      step->arguments().front().number = moved->to;
      *step =
          say::both(*step, say::access_was_moved(say::Line(moved->from), moved->array, say::Line(moved->to)));
    }
  }
  Visit(result, [&](Message& message) {
    if (const auto moved = find(message); moved != all.end()) message.arguments().front().number = moved->to;
  });
}

void ExplainAccesses(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    if (!say::index_outside.Made(message)) return;
    const std::vector<Argument> arguments = message.arguments();
    const Message& access = arguments.at(3).inner.at(0);
    const Message& known = arguments.at(4).inner.at(0);
    if (!say::element_past_end.Made(access) && !say::element_before_start.Made(access)) return;
    const int line = static_cast<int>(arguments.at(0).number);
    const bool is_first_thread = arguments.at(1).text == "(0, 0)" && arguments.at(2).text == "(0, 0)";
    const Message why = WhyNotKeptAway(result.source, line, access, known, is_first_thread);
    if (!why.empty())
      message = say::index_outside_because(line, why, say::Thread(arguments.at(1).text),
                                           say::Thread(arguments.at(2).text), access);
  });
}

/// Whether it names the condition, and what has to be checked: it is the whole cause.
bool NamesMissingCheck(const Message& why) {
  return say::condition_leaves_out.Made(why) || say::condition_leaves_out_row.Made(why) ||
         say::condition_leaves_out_column.Made(why) || say::condition_checks_other.Made(why) ||
         say::condition_checks_before_loop.Made(why);
}

/// A misconception about an access outside an array: the check that is missing there is the first sentence.
void BeginWithMissingCheck(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || first->fact_first || !result.advice->finding) return;
  const Finding& shown = *result.advice->finding;
  if (shown.kind != FindingKind::kOutOfBounds || !say::element_past_end.Made(shown.message)) return;
  const bool is_first_thread = shown.thread == Dim3{0, 0, 0} && shown.block == Dim3{0, 0, 0};
  const Message why =
      WhyNotKeptAway(result.source, shown.where.line, shown.message, Message(), is_first_thread);
  if (NamesMissingCheck(why))
    BeginWith(say::outside_because(say::Line(shown.where.line), why), say::skip_the_access(), *first);
}

/// A call that depends on those before it: which variable carries that, if the source has few.
void NameKeptVariables(ExerciseResult& result) {
  Misconception* first = FirstMisconception(result);
  if (first == nullptr || !IsOfFact(*first, kDependsOnEarlierCalls, result)) return;
  const std::vector<KeptVariable> kept = FindKeptVariables(result.source);
  const auto counter = std::ranges::find_if(kept, &KeptVariable::is_only_counted_up);
  constexpr std::size_t kMostNames = 4;
  if (counter != kept.end()) {
    BeginWith(say::nothing_sets_back(counter->name, say::Line(counter->line)), say::which_line_sets_back(),
              *first);
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

/// Wrong only where an element is INT_MAX, where the source stores this number past an array's elements.
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

/// Values that are wrong only from some size on, where the source has variables of a small type.
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

/// Memory that was allocated by a number of elements.
void NameElementAllocations(ExerciseResult& result) {
  std::optional<ElementAllocation> found;
  bool has_looked = false;
  Visit(result, [&](Message& message) {
    if (!say::own_allocation_outside.Made(message)) return;
    if (!has_looked) found = FindElementAllocation(result.source);
    has_looked = true;
    if (!found) return;
    const std::vector<Argument> arguments = message.arguments();
    const Message why = say::allocation_without_sizeof(found->function, say::Line(found->line), found->size,
                                                       found->pointer, found->type);
    message = say::index_outside_because(static_cast<int>(arguments.at(0).number), why,
                                         say::Thread(arguments.at(1).text), say::Thread(arguments.at(2).text),
                                         arguments.at(3).inner.at(0));
  });
}

/// Whether threads of that kernel leave an array in global memory, in a line that every thread comes to.
bool HasUnguardedAccess(const ExerciseResult& result, const std::string& kernel) {
  return std::ranges::any_of(result.tests, [&](const TestResult& test) {
    return std::ranges::any_of(test.findings, [&](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.space == MemorySpace::kGlobal &&
             finding.kernel == kernel && EveryThreadRuns(result.source, finding.where.line);
    });
  });
}

/// Two threads that store to the same element, where threads without an element run the line, too.
void NameUnguardedRaces(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    if (!say::storing_threads.Made(message)) return;
    const std::vector<Argument> arguments = message.arguments();
    const int line = static_cast<int>(arguments.at(4).number);
    if (!EveryThreadRuns(result.source, line)) return;
    const bool is_unguarded = std::ranges::any_of(result.tests, [&](const TestResult& test) {
      return std::ranges::any_of(test.findings, [&](const Finding& race) {
        return race.kind == FindingKind::kRace && race.where.line == line &&
               HasUnguardedAccess(result, race.kernel);
      });
    });
    if (!is_unguarded) return;
    message = say::storing_threads_without_condition(
        say::Thread(arguments.at(0).text), arguments.at(1).inner.at(0), say::Thread(arguments.at(2).text),
        arguments.at(3).inner.at(0), say::Line(line));
  });
}

/// A factor or a product of other elements, where a tile is between the array and the product.
void AskAboutTiles(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  if (std::ranges::find(tokens, "__shared__", &CodeToken::text) == tokens.end()) return;
  const Visitor visitor = [&](Message& message) {
    const std::vector<Argument> said = message.arguments();
    if (say::element_has_instead.Made(message))
      message =
          say::element_has_instead_by_tiles(said.at(0).text, said.at(1).inner.at(0), said.at(2).inner.at(0));
    if (!say::element_has_other_factor.Made(message)) return;
    message = say::element_has_other_tile_factor(said.at(0).text, said.at(1).text, said.at(2).text,
                                                 said.at(3).text);
  };
  VisitWithExplanations(result, visitor);
}

/// Work that is pending when the function returns, in a stream that nothing else waits for.
void NameNonBlockingStreams(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  if (std::ranges::find(tokens, "cudaStreamNonBlocking", &CodeToken::text) == tokens.end()) return;
  Visit(result, [](Message& message) {
    if (say::wait_for_your_stream.Made(message)) message = say::non_blocking_stream();
  });
}

/// A sum that is doubled, where the source shows a shuffle that gives a lane its own value to add.
void NameOwnShuffles(ExerciseResult& result) {
  const auto shuffle = FindOwnShuffle(result.source);
  if (!shuffle) return;
  const say::Line line = shuffle->line;
  constexpr int kLanes = 32;
  const Message why = shuffle->group == 0 ? say::shuffle_up_returns_own(line, shuffle->distance)
                      : shuffle->group == kLanes
                          ? say::shuffle_past_warp(line, shuffle->farthest)
                          : say::shuffle_past_group(line, shuffle->farthest, shuffle->group);
  const Visitor visitor = [&](Message& message) {
    const std::vector<Argument> said = message.arguments();
    if (say::product_repeated_all.Made(message) && say::added_twice.Made(said.at(0).inner.at(0))) {
      message = say::product_repeated_by_shuffle(say::added_twice(), why);
    } else if (say::linear_has_times.Made(message)) {
      // Each of such steps doubles it.
      const std::int64_t times = said.at(2).number;
      if ((times & (times - 1)) == 0)
        message = say::linear_has_times_by_shuffle(said.at(0).text, said.at(1).inner.at(0), times, why);
    }
  };
  VisitWithExplanations(result, visitor);
}

/// Products that are missing in a sum over the lanes of a warp, where the source shows that its last round
/// is.
void NameShortShuffles(ExerciseResult& result) {
  const auto shuffle = FindShortShuffle(result.source);
  if (!shuffle) return;
  const Visitor visitor = [&](Message& message) {
    const bool is_one = say::product_lacks_one.Made(message);
    if (!is_one && !say::product_lacks.Made(message)) return;
    const Message which = message.arguments().at(0).inner.at(0);
    message = say::product_lacks_by_shuffle(is_one ? say::one_product_with(which) : say::products_with(which),
                                            shuffle->line, shuffle->distance);
  };
  VisitWithExplanations(result, visitor);
}

/// Elements that are stored over and over, where the source has a grid-stride loop whose step is too short.
void NameShortStrides(ExerciseResult& result) {
  const auto loop = FindShortStride(result.source);
  if (!loop) return;
  VisitWithExplanations(result, [&](Message& message) {
    if (!say::stored_over_and_over.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    message = say::stored_again_by_short_stride(say::Line(loop->line), loop->variable, loop->stride,
                                                said.at(0).number, said.at(1).text, said.at(2).number);
  });
}

/// Values of one sample that differ in what they are normalised with, where the source has sums over lanes,
/// and all of them leave the whole sum in the first lane.
void NameSumsOfOneLane(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  const auto is_shuffle = [](const CodeToken& each) { return each.text.starts_with("__shfl"); };
  const auto first = std::ranges::find_if(tokens, is_shuffle);
  const bool all_down = std::ranges::all_of(
      tokens, [&](const CodeToken& each) { return !is_shuffle(each) || each.text == "__shfl_down_sync"; });
  if (first == tokens.end() || !all_down) return;
  if (std::ranges::find(tokens, "__shared__", &CodeToken::text) != tokens.end()) return;
  VisitWithExplanations(result, [&](Message& message) {
    if (message.Is("cliff_not_alike"))
      message = say::sum_in_first_lane(say::Line(first->line), message.arguments().at(0).number);
  });
}

/// Nothing moves from phase to phase in code without tiles.
void AskWithoutTiles(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  if (std::ranges::find(tokens, "__shared__", &CodeToken::text) != tokens.end()) return;
  const Visitor visitor = [&](Message& message) {
    if (!say::product_unlike_ranges.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    message = say::product_unlike_ranges_without_tiles(said.at(0).inner.at(0), said.at(1).inner.at(0));
  };
  VisitWithExplanations(result, visitor);
}

/// Two warps that race although a __syncwarp() is between the two lines: that is what its writer took for a
/// barrier of the block.
void NameWarpBarriers(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  const auto are_between = [&](std::string_view name, int first, int last) {
    return std::ranges::any_of(tokens, [&](const CodeToken& each) {
      return each.text == name && first <= each.line && each.line <= last;
    });
  };
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        !say::race_in_block.Made(race->message))
      continue;
    const auto [first, last] = std::minmax(race->where.line, race->other->line);
    if (are_between("__syncwarp", first, last) && !are_between("__syncthreads", first, last))
      each.message = English(say::syncwarp_between());
  }
}

/// Threads that race in one line of a tree because none of them is kept away: the barrier behind it is there.
void NameUnguardedSteps(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        race->where != *race->other || !AddsInAllThreads(result.source, race->where.line))
      continue;
    each.evidence = say::every_thread_adds(say::Line(race->where.line));
    each.fact_first = true;
    each.message = English(say::which_threads_add());
  }
}

/// Right values of a kernel that loads nothing from shared memory, told by a row of a suite: what its text
/// has.
void NameUnsharedReads(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    if (!each.evidence.Mentions("reverse_unshared")) continue;
    const SharedReads reads = FindSharedReads(result.source);
    if (reads == SharedReads::kByName) each.message = English(say::reads_own_element_back());
    if (reads == SharedReads::kNone) each.message = English(say::no_shared_array_is_read());
  }
}

/// Sums in a wrong order, where a thread gets its row and column from a division.
void NameRowDivisions(ExerciseResult& result) {
  const Visitor visitor = [&](Message& message) {
    if (!say::product_stored_with_rows.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const Message& row = said.at(0).inner.at(0);
    if (!say::row_of_side.Made(row)) return;
    const std::string& side = row.arguments().at(1).text;
    if (const auto line = FindRowDivision(result.source, side))
      message = say::product_rows_by_division(row, said.at(1).inner.at(0), say::Line(*line), side);
  };
  VisitWithExplanations(result, visitor);
  for (Misconception& each : result.misconceptions) {
    if (each.evidence.Mentions(say::product_rows_by_division.id))
      each.message = English(say::divide_by_row_length());
  }
}

/// Products past the last one, by a load whose condition checks another sum than its index has: then that is
/// what comes first.
void PreferUncheckedSum(ExerciseResult& result) {
  const bool is_beyond = result.next_step.Mentions(say::product_beyond_last.id);
  if (!is_beyond || !result.misconceptions.empty() || !result.advice) return;
  for (TestResult& test : result.tests) {
    for (std::size_t i = 0; i < test.findings.size(); ++i) {
      const Finding& finding = test.findings[i];
      const Message& access = finding.message;
      const bool is_read_outside = finding.kind == FindingKind::kOutOfBounds && !access.empty() &&
                                   say::element_past_end.Made(access) &&
                                   say::reads.Made(access.arguments().at(0).inner.at(0));
      if (!is_read_outside) continue;
      const Message& array = access.arguments().at(1).inner.at(0);
      const auto check = CheckOfAccess(result.source, finding.where.line, true, English(array));
      if (!check || !check->sums || check->sums->kind != SumCheck::Kind::kOther) continue;
      const Dim3 &thread = finding.thread, &block = finding.block;
      test.next_step =
          say::index_outside_because(finding.where.line, WhatOneChecksInstead(*check->sums, array),
                                     {thread.x, thread.y, thread.z}, {block.x, block.y, block.z}, access);
      test.advised = i;
      result.next_step = test.next_step;
      result.advice->test = test.name;
      result.advice->finding = finding;
      return;
    }
  }
}

/// Local memory that a kernel was given for an array: which one, and why it cannot be in registers.
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
  cause->message = English(why == Why::kAddress       ? say::inline_the_function()
                           : why == Why::kBounds      ? say::give_constant_bounds()
                           : why == Why::kNotUnrolled ? say::unroll_that_loop()
                                                      : say::use_constant_indices());
}

/// Threads of a block that race because each changes one element, in one line: no barrier helps there.
void NameLostChanges(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    const bool is_of_warp =
        say::both.Made(message) && say::lanes_need_it_too.Made(message.arguments().at(1).inner.at(0));
    const Message step = is_of_warp ? message.arguments().at(0).inner.at(0) : message;
    if (!say::racing_line.Made(step)) return;
    const std::vector<Argument>& said = step.arguments();
    const auto line = static_cast<int>(said.at(3).number);
    if (!ChangesWhatItLoads(result.source, line)) return;
    message = say::changing_in_line(say::Thread(said.at(0).text), said.at(4).inner.at(0),
                                    said.at(2).inner.at(0), say::Line(line));
  });
}

void NameLoops(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    const bool is_of_passes = say::race_with_next_pass.Made(message) ||
                              say::race_with_later_pass.Made(message) ||
                              say::race_with_earlier_pass.Made(message);
    if (!is_of_passes) return;
    std::vector<Argument>& arguments = message.arguments();
    const auto line = [&](std::size_t i) { return static_cast<int>(arguments.at(i).number); };
    auto loop = LoopAround(result.source, line(0), line(1));
    if (say::race_with_next_pass.Made(message)) {
      if (const auto of_race = LoopOfNextPass(result.source, line(0), line(1))) loop = of_race;
    }
    if (!loop) return;
    arguments.at(2).inner.at(0) =
        loop->variable.empty() ? say::loop_in_line(loop->line) : say::loop_over(loop->variable, loop->line);
  });
}

}  // namespace

void AddSourceNotes(ExerciseResult& result) {
  NameKernelArguments(result);
  NameElements(result);
  NameLongRows(result);
  NameTileReads(result);
  NameStrayedReads(result);
  NameHostLines(result);
  ExplainRefusedCalls(result);
  NameHostDivisions(result);
  ExplainMissedBarriers(result);
  NameMovedAccesses(result);
  ExplainAccesses(result);
  NameElementAllocations(result);
  NameUnguardedRaces(result);
  NameLostChanges(result);
  NameLoops(result);
  NameNonBlockingStreams(result);
  NameOwnShuffles(result);
  NameShortShuffles(result);
  NameSumsOfOneLane(result);
  NameShortStrides(result);
  AskWithoutTiles(result);
  AskAboutTiles(result);
  NameWarpBarriers(result);
  NameUnguardedSteps(result);
  NameUnsharedReads(result);
  NameRowDivisions(result);
  PreferUncheckedSum(result);
  NameLocalArrays(result);
  BeginWithMissingCheck(result);
  NameKeptVariables(result);
  NameNarrowVariables(result);
  NameMarks(result);
  AddUnsetVariables(result.source, result.file, result.diagnostics);
  AdviseExchangedArguments(result);
  AdviseUnsetVariable(result);
  AdviseWholeVariable(result);
  AddSlip(result);
  if (result.verdict == Verdict::kPassed) return;
  std::ranges::move(FindRoundedQuotients(result.source, result.file), std::back_inserter(result.diagnostics));
}

}  // namespace warplings
