// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/slips.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/block_indices.h"
#include "grader/build/calls.h"
#include "grader/build/code_words.h"
#include "grader/build/guarded_indices.h"
#include "grader/build/host_code.h"
#include "grader/build/idioms.h"
#include "grader/build/loop_limits.h"
#include "grader/build/plain_code.h"
#include "grader/build/replaced_pointers.h"
#include "grader/build/shared_sums.h"
#include "grader/build/silent_mistakes.h"
#include "grader/build/source_places.h"
#include "grader/build/statements.h"
#include "grader/build/thread_indices.h"
#include "grader/build/unread_variables.h"
#include "grader/build/whole_variables.h"
#include "grader/messages/build.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/host_code.h"

namespace warplings {

namespace {

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

/// 1 of `int ty = threadIdx.y + 1`: what a variable has more than that index of the thread; nothing if it is
/// anything else.
std::optional<std::int64_t> OffsetFromThread(const std::vector<CodeToken>& tokens, const std::string& name,
                                             std::string_view axis) {
  int values = 0;
  std::optional<std::int64_t> offset;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || !IsOneOf(tokens[at + 1].text, {"=", "+=", "-=", "*=", "++", "--", "("}))
      continue;
    ++values;
    const bool is_index = tokens[at + 1].text == "=" && IsAt(tokens, at + 2, "threadIdx") &&
                          IsAt(tokens, at + 4, axis) && at + 7 < tokens.size();
    if (!is_index) continue;
    const auto ends = [&](std::size_t end) { return IsOneOf(tokens[end].text, {";", ","}); };
    if (ends(at + 5)) offset = 0;
    if (IsAt(tokens, at + 5, "+") && tokens[at + 6].text.size() == 1 &&
        std::isdigit(static_cast<unsigned char>(tokens[at + 6].text[0])) != 0 && ends(at + 7))
      offset = tokens[at + 6].text[0] - '0';
  }
  return values == 1 ? offset : std::nullopt;
}

struct TileAccess {
  std::string array, written;
  bool has_frame = false;  ///< The indices begin after it.
};

/// `Mds[ty][tx]` in that line, of an array with fewer rows or columns than this thread's.
std::optional<TileAccess> PastTile(const std::vector<CodeToken>& tokens, int line, const Dim3& thread,
                                   const std::map<std::string, std::vector<std::int64_t>>& extents) {
  for (std::size_t at = 0; at + 6 < tokens.size(); ++at) {
    const auto array = extents.find(tokens[at].text);
    if (tokens[at].line != line || array == extents.end() || array->second.size() != 2) continue;
    const bool has_two = tokens[at + 1].text == "[" && tokens[at + 3].text == "]" &&
                         tokens[at + 4].text == "[" && tokens[at + 6].text == "]";
    if (!has_two) continue;
    const auto row = OffsetFromThread(tokens, tokens[at + 2].text, "y"),
               column = OffsetFromThread(tokens, tokens[at + 5].text, "x");
    if (!row || !column) continue;
    if (thread.y + *row >= array->second[0] || thread.x + *column >= array->second[1])
      return TileAccess{array->first, TextOf(tokens, at, at + 7), *row > 0 || *column > 0};
  }
  return std::nullopt;
}

/// Whether the source declares a shared array of that name with one extent, once.
bool IsSharedRow(const std::vector<CodeToken>& tokens, const std::string& name) {
  int declarations = 0;
  for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != name || tokens[at + 1].text != "[" || !IsNumberType(tokens[at - 1].text)) continue;
    std::size_t begin = at;
    while (begin > 0 && !IsOneOf(tokens[begin - 1].text, {";", "{", "}"})) --begin;
    const bool is_shared = HasAny(tokens, {begin, at}, {"__shared__"}) &&
                           !HasAny(tokens, {begin, at}, {"extern"}) &&
                           !IsAt(tokens, BehindBracket(tokens, at + 1), "[");
    if (!is_shared) return false;
    ++declarations;
  }
  return declarations == 1;
}

/// `partial[t]` of `partial[t] = ...` in that line, which every thread of the kernel runs with its index in a
/// row of threads; empty if the line is anything else.
std::string StoreOfEveryThread(const std::vector<CodeToken>& tokens, int line, const std::string& array) {
  const std::vector<CodeStatement> statements = StatementsOf(tokens);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::size_t at = statements[i].begin;
    if (tokens[at].line != line || tokens[at].text != array) continue;
    const std::vector<std::size_t> around = Around(statements, i);
    const bool is_alone = statements[i].kind == CodeStatement::Kind::kSimple && around.size() == 1 &&
                          !HasAny(tokens, {statements[around.back()].begin, at}, {"return"});
    const bool stores = IsAt(tokens, at + 1, "[") && IsAt(tokens, at + 3, "]") && IsAt(tokens, at + 4, "=");
    if (is_alone && stores && OffsetFromThread(tokens, tokens[at + 2].text, "x") == 0)
      return TextOf(tokens, at, at + 4);
  }
  return "";
}

/// A block of one row with more threads than the array has elements.
std::optional<Slip> LongBlockOf(const std::vector<CodeToken>& tokens, const Finding& finding,
                                const Dim3& block) {
  if (block.y != 1 || block.z != 1 || !say::numbered_element_past_end.Made(finding.message))
    return std::nullopt;
  const std::vector<Argument>& said = finding.message.arguments();
  const Message& array = said.at(2).inner.at(0);
  const std::int64_t elements = said.at(3).number;
  if (!say::IsSharedObject(array) || elements >= std::int64_t{block.x}) return std::nullopt;
  const std::string& name = array.arguments().at(0).text;
  const int line = finding.where.line;
  const std::string written = IsSharedRow(tokens, name) ? StoreOfEveryThread(tokens, line, name) : "";
  if (written.empty()) return std::nullopt;
  return Slip{line, say::block_larger_than_array(block.x, name, elements, written, say::Line(line))};
}

/// A block with more rows or columns than the tile that it fills, or more threads than the array, each thread
/// its own element.
std::optional<Slip> LargeBlockOf(const ExerciseResult& result) {
  const auto extents = SharedExtents(result.source);
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      const bool is_of_place =
          finding.kind == FindingKind::kRace || finding.kind == FindingKind::kOutOfBounds;
      if (!is_of_place || finding.severity != Severity::kError || finding.space != MemorySpace::kShared)
        continue;
      const auto launch = std::ranges::find(test.launches, finding.kernel, &LaunchRecord::kernel);
      if (launch == test.launches.end()) continue;
      const int line = finding.where.line;
      const Dim3& block = launch->block;
      if (const auto access = PastTile(tokens, line, finding.thread, extents)) {
        const std::vector<std::int64_t>& tile = extents.at(access->array);
        const std::int64_t columns = tile[1], rows = tile[0];
        if (access->has_frame && block.x <= columns && block.y <= rows)
          return Slip{line, say::tile_without_frame(access->array, columns, rows, block.x, block.y,
                                                    access->written, say::Line(line))};
        if (block.x != block.y && block.x <= rows && block.y <= columns && block.x > columns)
          return Slip{line, say::tile_sides_exchanged(access->array, rows, columns, block.x, block.y,
                                                      access->written, say::Line(line))};
        const auto& row =
            access->has_frame ? say::block_larger_than_framed_tile : say::block_larger_than_tile;
        return Slip{line,
                    row(block.x, block.y, access->array, columns, rows, access->written, say::Line(line))};
      }
      if (auto slip = LongBlockOf(tokens, finding, block)) return slip;
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
  // The compiler may know what is read there: nothing, of which it makes any number without a load.
  const auto array = FindUnsharedArray(result.source);
  if (!array) return std::nullopt;
  return Slip{array->line, say::array_lacks_shared(array->name, say::Line(array->line))};
}

/// An array or a variable of each thread's own that an atomic function gets: the kernel stops there, and
/// other threads of the block seem to miss a barrier.
std::optional<Slip> AtomicOnOwnOf(const ExerciseResult& result) {
  const auto own = FindAtomicOnOwn(result.source);
  if (!own) return std::nullopt;
  return Slip{own->atomic_line, say::atomic_lacks_shared(own->name, say::Line(own->line), own->function,
                                                         say::Line(own->atomic_line))};
}

/// A number as a report shows it.
std::optional<double> NumberOf(const Message& shown) {
  const std::string text = English(shown);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_number = !text.empty() && *end == '\0' && std::isfinite(number);
  return is_number ? std::optional(number) : std::nullopt;
}

/// What an element of four bytes holds of which each is `byte`.
double RepeatedByte(int byte, bool is_of_integers) {
  constexpr std::uint32_t kOnes = 0x01010101;
  const std::uint32_t bits = static_cast<std::uint32_t>(byte) * kOnes;
  if (is_of_integers) return std::bit_cast<std::int32_t>(bits);
  return std::bit_cast<float>(bits);
}

/// All wrong elements of a test without findings are too large by what a memset makes of each element; floats
/// should be 0.
bool BeginAt(const TestResult& test, double start, bool is_of_integers) {
  const bool has_error = std::ranges::any_of(
      test.findings, [](const Finding& each) { return each.severity == Severity::kError; });
  return !has_error && !test.wrong.empty() && std::ranges::all_of(test.wrong, [&](const WrongElement& each) {
    const auto expected = NumberOf(each.expected), actual = NumberOf(each.actual);
    if (!expected || !actual) return false;
    if (is_of_integers) return *actual - *expected == start;
    constexpr double kDigits = 1e-5;  // Those that are shown.
    return *expected == 0 && std::abs(*actual - start) <= kDigits * std::abs(start);
  });
}

/// A memset to another number than 0, which each byte becomes.
std::optional<Slip> FillOfBytesOf(const ExerciseResult& result) {
  for (const HostWrite& fill : FindHostWrites(result.source)) {
    constexpr int kBytes = 4;
    if (fill.byte.value_or(0) == 0 || fill.element_bytes != kBytes) continue;
    const double start = RepeatedByte(*fill.byte, fill.is_of_integers);
    if (std::ranges::none_of(
            result.tests, [&](const TestResult& test) { return BeginAt(test, start, fill.is_of_integers); }))
      continue;
    char bits[16], number[32];
    std::snprintf(bits, sizeof bits, "0x%02x%02x%02x%02x", *fill.byte, *fill.byte, *fill.byte, *fill.byte);
    std::snprintf(number, sizeof number, fill.is_of_integers ? "%.0f" : "%.7g", start);
    return Slip{fill.line, say::memset_of_bytes(fill.function, say::Line(fill.line), fill.array, fill.value,
                                                bits, number)};
  }
  return std::nullopt;
}

/// A memset of fewer bytes than one element has.
std::optional<Slip> FillOfPartOf(const ExerciseResult& result) {
  for (const HostWrite& fill : FindHostWrites(result.source)) {
    if (fill.value.empty() || fill.bytes.value_or(0) <= 0 || *fill.bytes >= fill.element_bytes) continue;
    return Slip{fill.line, say::memset_of_part_of_element(fill.function, say::Line(fill.line),
                                                          say::Count(*fill.bytes, "byte"), fill.array,
                                                          fill.element_bytes)};
  }
  return std::nullopt;
}

/// A call of the host that changes an array which the function gets as an input.
std::optional<Slip> WriteToInputOf(const ExerciseResult& result) {
  if (std::ranges::none_of(result.tests,
                           [](const TestResult& test) { return test.verdict == Verdict::kInputModified; }))
    return std::nullopt;
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  std::optional<ParameterList> takes;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].text != result.exercise || tokens[at + 1].text != "(") continue;
    if (!IsAt(tokens, BehindBracket(tokens, at + 1), "{")) continue;
    if (takes) return std::nullopt;
    takes = ParametersAt(tokens, at + 1);
  }
  if (!takes) return std::nullopt;
  std::vector<std::string> outputs;
  for (const Parameter& each : takes->parameters) {
    if (each.type.stars == 1 && !each.type.is_const) outputs.push_back(each.name);
  }
  for (const HostWrite& write : FindHostWrites(result.source)) {
    const bool is_input = std::ranges::any_of(takes->parameters, [&](const Parameter& each) {
      return each.name == write.array && each.type.stars == 1 && each.type.is_const;
    });
    if (!is_input) continue;
    const say::Line line(write.line);
    return Slip{write.line,
                outputs.size() == 1
                    ? say::call_writes_to_input_not_output(write.function, line, write.array, outputs.front())
                    : say::call_writes_to_input(write.function, line, write.array)};
  }
  return std::nullopt;
}

/// Threads that race for a sum which the block shares. `is_own`: each thread means one of its own beyond
/// doubt.
std::optional<Slip> SharedSumOf(const ExerciseResult& result, bool is_own) {
  for (const TestResult& test : result.tests) {
    for (const Finding& race : test.findings) {
      const bool is_shared_race = race.kind == FindingKind::kRace && race.severity == Severity::kError &&
                                  race.space == MemorySpace::kShared && say::IsSharedObject(race.object);
      if (!is_shared_race) continue;
      const auto sum = FindSharedSum(result.source, race.object.arguments().at(0).text);
      const auto adds_in = [&](int line) { return std::ranges::count(sum->add_lines, line) > 0; };
      if (!sum || sum->is_own != is_own || !adds_in(race.where.line)) continue;
      if (!is_own && (!race.other || !adds_in(race.other->line))) continue;
      const auto& row = is_own ? say::own_sum_is_shared : say::sum_is_shared;
      return Slip{sum->line, row(sum->name, say::Line(sum->line), say::Line(race.where.line))};
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

bool HasWrongValues(const ExerciseResult& result) {
  return std::ranges::any_of(result.tests, [](const TestResult& test) { return test.wrong_count > 0; });
}

/// A memset or a copy that wipes what the kernel has stored: what the values are instead says nothing of the
/// kernel then.
std::optional<Slip> OverwrittenResultsOf(const ExerciseResult& result) {
  const auto late =
      HasWrongValues(result) ? FindOverwrittenResults(result.source, result.exercise) : std::nullopt;
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

/// "row (line 18)", or two of them, of one row of the variables.
Message NamesWithLines(const std::vector<UnusedBlockIndex::Variable>& variables) {
  const auto with_line = [](const UnusedBlockIndex::Variable& each) {
    return say::name_in_line(say::shown_whole(each.name), say::Line(each.line));
  };
  const Message first = with_line(variables.front());
  return variables.size() == 1 ? first : say::two_names(first, with_line(variables.back()));
}

/// What to do about a block index that a kernel does not use.
Message MendOf(const UnusedBlockIndex& unused) {
  if (!unused.product.empty()) {
    const std::string axis(1, unused.axis);
    return say::block_size_for_block_index(say::Line(unused.product_line), unused.product, "blockDim." + axis,
                                           "blockIdx." + axis);
  }
  constexpr std::size_t kMost = 2;
  const bool are_named = !unused.variables.empty() && unused.variables.size() <= kMost;
  return are_named ? say::add_offset_of_block(NamesWithLines(unused.variables))
                   : say::compute_part_of_block(unused.index);
}

/// Wrong values of a kernel all of whose blocks do the same.
std::optional<Slip> UnusedBlockIndexOf(const ExerciseResult& result) {
  // A call may launch one kernel thousands of times, and the source is long.
  std::set<std::pair<std::string, std::string>> searched;
  for (const TestResult& test : result.tests) {
    // What a kernel reads before it is written is no element that depends on the block.
    const bool reads_unwritten = std::ranges::any_of(
        test.findings, [](const Finding& each) { return each.kind == FindingKind::kUninitialised; });
    if (test.wrong_count == 0 || reads_unwritten) continue;
    for (const LaunchRecord& launch : test.launches) {
      std::string axes;
      if (launch.grid.x > 1) axes += 'x';
      if (launch.grid.y > 1) axes += 'y';
      if (launch.grid.z > 1) axes += 'z';
      const std::string kernel(BaseName(launch.kernel));
      if (axes.empty() || !searched.emplace(kernel, axes).second) continue;
      const auto unused = FindUnusedBlockIndex(result.source, kernel, axes);
      if (!unused) continue;
      const int line = unused->product.empty() ? 0 : unused->product_line;
      const Dim3& grid = launch.grid;
      const std::int64_t all = std::int64_t{grid.x} * grid.y * grid.z;
      if (unused->axis == ' ' || axes.size() == 1)
        return Slip{line, say::blocks_do_the_same(kernel, unused->index, all, MendOf(*unused))};
      const std::int64_t along = unused->axis == 'x' ? grid.x : unused->axis == 'y' ? grid.y : grid.z;
      return Slip{line, say::blocks_along_axis_do_the_same(kernel, unused->index, along,
                                                           std::string(1, unused->axis), MendOf(*unused))};
    }
  }
  return std::nullopt;
}

/// Blocks that store to the same element, at an index of their threads alone.
std::optional<Slip> SharedElementOf(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    if (test.wrong_count == 0) continue;
    for (const Finding& race : test.findings) {
      const bool is_of_blocks = race.kind == FindingKind::kRace && race.severity == Severity::kError &&
                                say::race_of_many_blocks.Made(race.message);
      const int line = race.where.line;
      const auto index = is_of_blocks && StoresAnew(result.source, line)
                             ? FindWrongBlockIndex(result.source, line)
                             : std::nullopt;
      if (!index || index->mistake != BlockIndex::Mistake::kWithoutBlock) continue;
      const auto stored = FindStoredElement(result.source, line);
      if (stored) return Slip{line, say::all_blocks_store_there(*stored, say::Line(line))};
    }
  }
  return std::nullopt;
}

/// Accesses out of bounds at an index whose row and column are exchanged, as the condition beside it shows.
std::optional<Slip> ExchangedIndexOf(const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& finding : test.findings) {
      if (finding.kind != FindingKind::kOutOfBounds || finding.severity != Severity::kError) continue;
      const int line = finding.where.line;
      if (const auto found = FindExchangedIndex(result.source, line))
        return Slip{line, say::index_of_exchanged_sides(say::Line(line), found->written, found->column,
                                                        found->length, found->should_be)};
    }
  }
  return std::nullopt;
}

/// Wrong values of a source with a condition about other indices than the one beside it.
std::optional<Slip> OtherGuardOf(const ExerciseResult& result) {
  const auto found = HasWrongValues(result) ? FindGuardOfOthers(result.source) : std::nullopt;
  if (!found) return std::nullopt;
  const auto both = [](const std::pair<std::string, std::string>& names) {
    return say::two_names(say::shown_whole(names.first), say::shown_whole(names.second));
  };
  return Slip{found->line, say::guard_of_other_indices(say::Line(found->line), both(found->tested),
                                                       found->written, both(found->used))};
}

/// Wrong values of a source in whose loop a sum is set in place of added to.
std::optional<Slip> ReplacedSumOf(const ExerciseResult& result) {
  const auto sum = HasWrongValues(result) ? FindReplacedSum(result.source) : std::nullopt;
  if (!sum) return std::nullopt;
  return Slip{sum->line, say::sum_is_replaced(say::Line(sum->line), sum->written, sum->name)};
}

/// Wrong values of a source with a loop that never runs.
std::optional<Slip> IdleLoopOf(const ExerciseResult& result) {
  const auto idle = HasWrongValues(result) ? FindIdleLoop(result.source) : std::nullopt;
  if (!idle) return std::nullopt;
  return Slip{idle->line, say::loop_never_runs(idle->limit, say::Line(idle->limit_line), idle->variable,
                                               say::Line(idle->line))};
}

/// Wrong values of a source with a condition that lets an index one too far.
std::optional<Slip> ReachedEndOf(const ExerciseResult& result) {
  const auto end = HasWrongValues(result) ? FindReachedEnd(result.source) : std::nullopt;
  if (!end) return std::nullopt;
  return Slip{end->line, say::condition_reaches_the_end(say::Line(end->line), end->index, end->limit,
                                                        say::Line(end->fill_line), end->array)};
}

/// Wrong values of a source that fills a tile from a place which depends on one index of the thread only.
std::optional<Slip> DiagonalLoadOf(const ExerciseResult& result) {
  const auto load = HasWrongValues(result) ? FindDiagonalLoad(result.source) : std::nullopt;
  if (!load) return std::nullopt;
  return Slip{load->line, say::diagonal_load(say::Line(load->line), load->element, load->unused, load->row,
                                             say::Line(load->row_line), load->column,
                                             say::Line(load->column_line), load->used)};
}

/// The same of both tiles, because x is taken for rows and y for columns.
std::optional<Slip> ExchangedThreadIndicesOf(const ExerciseResult& result) {
  const auto found = HasWrongValues(result) ? FindExchangedThreadIndices(result.source) : std::nullopt;
  if (!found) return std::nullopt;
  return Slip{found->line,
              say::exchanged_thread_indices(found->row, say::Line(found->row_line), found->x, found->column,
                                            say::Line(found->column_line), found->y, say::Line(found->line))};
}

/// A memset whose value and size are exchanged.
std::optional<Slip> FillOfNothingOf(const ExerciseResult& result) {
  for (const HostWrite& fill : FindHostWrites(result.source)) {
    const bool is_exchanged = !fill.value.empty() && fill.bytes == 0 && fill.byte.value_or(1) != 0;
    if (is_exchanged)
      return Slip{fill.line, say::memset_of_no_bytes(fill.function, say::Line(fill.line), fill.array)};
  }
  return std::nullopt;
}

/// A slip that the source shows, or the source and what the tests saw together: that where no misconception
/// of the exercise was recognised, whose words are about its own code. Where arrays are confused with other
/// memory, such words are beside the point. Limits that are exceeded have another reason.
std::optional<Slip> SlipOf(const ExerciseResult& result) {
  if (auto slip = FindSlip(result.source)) return slip;
  const bool goes_wrong = std::ranges::any_of(result.tests, [](const TestResult& test) {
    const bool has_error = std::ranges::any_of(
        test.findings, [](const Finding& finding) { return finding.severity == Severity::kError; });
    return test.wrong_count > 0 || has_error || test.verdict == Verdict::kInputModified;
  });
  if (!goes_wrong) return std::nullopt;
  if (const auto unset = FindUnsetPointer(result.source)) {
    return Slip{unset->use_line, say::pointer_never_gets_a_value(unset->name, say::Line(unset->line),
                                                                 say::Line(unset->use_line))};
  }
  if (auto slip = HostPointerOf(result)) return slip;
  if (auto slip = FindReplacedPointer(result.source)) return slip;
  if (auto slip = LateSymbolOf(result)) return slip;
  if (auto slip = AtomicOnOwnOf(result)) return slip;
  if (auto slip = WriteToInputOf(result)) return slip;
  if (auto slip = FillOfNothingOf(result)) return slip;
  if (auto slip = FillOfPartOf(result)) return slip;
  if (auto slip = FillOfBytesOf(result)) return slip;
  if (auto slip = SharedSumOf(result, true)) return slip;
  if (auto slip = SkippedBarrierOf(result)) return slip;
  if (auto slip = ClampOf(result)) return slip;
  if (auto slip = ExchangedIndexOf(result)) return slip;
  if (auto slip = ReachedEndOf(result)) return slip;
  if (!result.misconceptions.empty()) return std::nullopt;
  if (auto slip = IdleLoopOf(result)) return slip;
  if (auto slip = UnusedBlockIndexOf(result)) return slip;
  if (auto slip = ExchangedThreadIndicesOf(result)) return slip;
  if (auto slip = DiagonalLoadOf(result)) return slip;
  if (auto slip = OverwrittenResultsOf(result)) return slip;
  if (auto slip = FlatLaunchOf(result)) return slip;
  if (auto slip = LargeBlockOf(result)) return slip;
  if (auto slip = SharedElementOf(result)) return slip;
  if (auto slip = OtherGuardOf(result)) return slip;
  if (auto slip = ReplacedSumOf(result)) return slip;
  if (auto slip = SharedSumOf(result, false)) return slip;
  return UnsharedArrayOf(result);
}

}  // namespace

void NameAtomicWarnings(ExerciseResult& result) {
  for (Diagnostic& each : result.diagnostics) {
    const std::size_t name = each.where.file.rfind('/') + 1;
    if (each.where.file.find("atomic_functions", name) == std::string::npos) continue;
    each.where.file.erase(0, name);
    if (const auto own = FindAtomicOnOwn(result.source)) each.where = {result.file, own->atomic_line};
  }
}

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

void AdviseUnsetVariable(ExerciseResult& result) {
  if (result.verdict != Verdict::kWrongResult || !result.misconceptions.empty()) return;
  const auto unset = std::ranges::find_if(result.diagnostics, [](const Diagnostic& each) {
    return say::variable_read_unset.Made(each.message) || say::variable_used_unset.Made(each.message) ||
           say::sum_read_unset.Made(each.message) || say::array_read_unset.Made(each.message);
  });
  if (unset == result.diagnostics.end()) return;
  result.next_step = unset->message;
  if (result.advice) result.advice->finding.reset();
}

void AdviseUnreadVariable(ExerciseResult& result) {
  if (result.verdict != Verdict::kWrongResult || !result.misconceptions.empty()) return;
  const auto unread = FindUnreadVariable(result.source, result.exercise);
  if (!unread) return;
  result.next_step = say::variable_is_never_read(unread->name, say::Line(unread->line), unread->returned,
                                                 say::Line(unread->return_line));
  if (result.advice) result.advice->finding.reset();
}

void AdviseExchangedArguments(ExerciseResult& result) {
  // Sizes in another order make threads leave their arrays, too.
  const bool leaves_arrays = std::ranges::any_of(result.tests, [](const TestResult& test) {
    return std::ranges::any_of(test.findings, [](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.severity == Severity::kError;
    });
  });
  const bool goes_wrong =
      result.verdict == Verdict::kWrongResult || (result.verdict == Verdict::kFinding && leaves_arrays);
  // A known cause that the report begins with is about the exercise's own code; one that comes later is not.
  const bool begins_with_cause =
      !result.misconceptions.empty() && (!result.advice || !result.advice->misconception.empty());
  if (!goes_wrong || begins_with_cause) return;
  const auto exchanged = FindExchangedArguments(result.source);
  if (!exchanged) return;
  const say::Line line(exchanged->line);
  result.next_step =
      exchanged->passed.empty()
          ? say::arguments_exchanged(line, exchanged->first, exchanged->second, exchanged->function)
          : say::arguments_rotated(line, exchanged->passed, exchanged->taken, exchanged->function);
  if (!result.advice) return;
  result.advice->finding.reset();
  // Whatever else goes wrong may come from the exchange.
  result.advice->later.clear();
}

namespace {

/// "-0.4317" or "31.5", but neither "25" nor "nan".
bool HasFraction(const std::string& number) {
  return number.find('.') != std::string::npos &&
         std::isdigit(static_cast<unsigned char>(number.back())) != 0;
}

}  // namespace

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
  const auto variable = are_rounded ? FindWholeVariable(result.source) : FindRoundedVariable(result.source);
  if (!variable) return;
  result.next_step = say::whole_variable(variable->name, say::Line(variable->line), variable->type);
  if (result.advice) result.advice->finding.reset();
}

}  // namespace warplings
