// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/accesses.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/code_loops.h"
#include "grader/build/code_words.h"
#include "grader/build/moved_accesses.h"
#include "grader/build/moved_pointers.h"
#include "grader/build/plain_code.h"
#include "grader/build/row_lengths.h"
#include "grader/build/source_places.h"
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/source_notes/names.h"
#include "grader/source_notes/visit.h"

namespace warplings {

namespace {

/// Of an access outside an array: whether its index is the first one past the end.
bool IsRightPastEnd(const Message& access) {
  if (!say::element_past_end.Made(access)) return false;
  return access.arguments().at(2).number == access.arguments().at(3).number;
}

/// The same of an array in shared memory.
bool IsRightPastSharedEnd(const Message& access) {
  if (!say::numbered_element_past_end.Made(access)) return false;
  return access.arguments().at(1).number == access.arguments().at(4).number + 1;
}

/// What of the array the line uses: "the index uses `row`", "`y[32]` is in column `c + 32` of `Y`".
Message WhatIsUsed(const SumCheck& sums, const Message& array) {
  if (!sums.is.empty()) return say::index_uses_variable(sums.used, sums.is);
  if (sums.accessed.empty()) return say::index_uses(sums.used);
  using Part = SumCheck::Part;
  const auto& row = sums.part == Part::kRow      ? say::access_is_in_row
                    : sums.part == Part::kColumn ? say::access_is_in_column
                                                 : say::access_is_element;
  return row(sums.accessed, sums.used, array);
}

/// Whether the line begins with an element of a shared array of two or more dimensions, which it stores.
bool FillsTile(std::string_view source, int line) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const auto first = std::ranges::find(tokens, line, &CodeToken::line);
  return first != tokens.end() && SharedExtents(source).contains(first->text);
}

/// Of a condition that checks another sum than the index in that line has.
Message WhatOneChecksInstead(std::string_view source, int line, const SumCheck& sums, const Message& array) {
  const Message used = WhatIsUsed(sums, array);
  const Message condition =
      sums.line == line ? say::condition_of_that_line() : say::condition_of_line(sums.line);
  if (sums.is_alone) return say::condition_checks_less(condition, sums.checked, used, sums.used);
  const Message access = sums.element.empty() ? say::that_line() : say::name_in_code(sums.element);
  if (sums.bound.empty())
    return say::condition_checks_other_limit(condition, sums.checked, used, access, sums.used);
  if (sums.is_in_loop && sums.element.empty())
    return say::condition_checks_before_loop(sums.line, sums.checked, used, sums.used, sums.bound);
  const auto& row = sums.element.empty() && FillsTile(source, line) ? say::condition_of_tile_checks_other
                                                                    : say::condition_checks_other;
  return row(condition, sums.checked, used, access, sums.used, sums.bound);
}

/// Of a condition that has nothing of the index, in place of a part that no condition checks.
Message WhatOneChecksInPlace(const SumCheck& sums, const Message& array) {
  using Part = SumCheck::Part;
  if (sums.part == Part::kElement) return say::condition_checks_no_part(sums.line, sums.checked, sums.used);
  const auto& row = sums.part == Part::kRow ? say::condition_checks_no_row : say::condition_checks_no_column;
  return row(sums.line, sums.checked, sums.used, array);
}

/// The first name in `used`, a part of an index, over which a loop begins between the two lines; empty if
/// there is none.
std::string VariableOfLoopBetween(std::string_view source, const std::string& used, int after, int until) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(source));
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  for (const CodeToken& name : TokensOf(used)) {
    const bool is_counted = std::ranges::any_of(loops, [&](const CodeLoop& loop) {
      const int line = tokens[loop.begin].line;
      return loop.variable == name.text && after < line && line <= until;
    });
    if (is_counted) return name.text;
  }
  return "";
}

/// How conditions compare the sums in an index of that array; `is_next`: the access is to the first element
/// past the end.
Message WhatSumsTell(std::string_view source, int line, const SumCheck& sums, const Message& array,
                     bool is_next) {
  switch (sums.kind) {
    case SumCheck::Kind::kOther: return WhatOneChecksInstead(source, line, sums, array);
    case SumCheck::Kind::kComputedLimit:
      return say::condition_has_computed_limit(sums.line, sums.checked, sums.limit, sums.limit_line);
    case SumCheck::Kind::kComputedIndex:
      if (sums.has_other_rows)
        return say::column_has_other_limit(sums.limit_line, sums.used, sums.limit, sums.bound, array);
      return sums.computed.size() == 1 ? say::index_is_computed(sums.line, sums.computed.front(), array)
                                       : say::indices_are_computed(ListNames(sums.computed), array);
    case SumCheck::Kind::kUnchecked:
      if (!sums.checked.empty()) return WhatOneChecksInPlace(sums, array);
      if (const std::string name = VariableOfLoopBetween(source, sums.used, sums.line, line); !name.empty())
        return say::condition_is_before_loop(sums.line, name);
      if (sums.part == SumCheck::Part::kRow)
        return say::condition_leaves_out_row(sums.line, sums.used, array);
      if (sums.part == SumCheck::Part::kColumn)
        return say::condition_leaves_out_column(sums.line, sums.used, array);
      return say::condition_leaves_out(sums.line, sums.used);
    case SumCheck::Kind::kChecked: break;
  }
  if (!sums.loop_variable.empty()) {
    const auto& row =
        sums.loop_includes_limit && is_next ? say::loop_lets_the_end : say::loop_or_index_is_wrong;
    return row(sums.loop_line, sums.loop_variable);
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

}  // namespace

Message WhyNotKeptAway(std::string_view source, int line, const Message& access, const Message& known,
                       bool is_first_thread) {
  const bool is_load = say::reads.Made(access.arguments().at(0).inner.at(0));
  const std::string array = English(access.arguments().at(1).inner.at(0));
  if (const auto length = FindWrongRowLength(source, line, array)) {
    return say::row_times_its_limit(length->row, length->used, length->column, length->needed,
                                    access.arguments().at(1).inner.at(0));
  }
  const std::set<std::string> zero = is_first_thread ? ZeroInFirstThread(source) : std::set<std::string>();
  if (const auto clamp = FindClampToLength(source, line))
    return say::clamp_reaches_the_end(clamp->written, clamp->length);
  auto check = CheckOfAccess(source, line, is_load, array, zero);
  const bool lets_end = check && !check->should_compare.empty() && IsRightPastEnd(access);
  if (check && check->joined) {
    const auto& row = check->joined->leaves ? say::condition_needs_either : say::condition_needs_all;
    return row(check->joined->line, check->joined->written);
  }
  if (!lets_end && !(check && check->sums)) {
    if (Message why = WhatPointersTell(source, line, access, zero); !why.empty()) return why;
  }
  if (!check) return {};
  if (check->sums && check->sums->kind == SumCheck::Kind::kComputedIndex)
    return WhatSumsTell(source, line, *check->sums, access.arguments().at(1).inner.at(0),
                        IsRightPastEnd(access));
  std::erase_if(check->unmentioned, [&](const std::string& name) { return zero.contains(name); });
  if (check->kind == AccessCheck::Kind::kNone)
    return say::which_element_if_any.Made(known) ? say::no_condition_before() : Message();
  if (lets_end) {
    const bool is_one_of_several = check->compares.find(' ') != std::string::npos;
    const auto& row = is_one_of_several ? say::condition_lets_the_end_by : say::condition_lets_the_end;
    return row(check->line, check->should_compare, check->compares);
  }
  if (check->sums && say::element_past_end.Made(access))
    return WhatSumsTell(source, line, *check->sums, access.arguments().at(1).inner.at(0),
                        IsRightPastEnd(access));
  constexpr std::size_t kMostNames = 3;
  const std::vector<std::string>& names = check->unmentioned;
  if (!check->mentions_any || names.size() > kMostNames)
    return say::condition_lets_it(check->line, access.arguments().at(1).inner.at(0));
  if (names.empty()) return say::condition_mentions_all(check->line);
  // A constant cannot be checked alone.
  const bool is_variable = names.size() == 1 && IsName(names.front()) && !BeginsAsConstant(names.front());
  if (!is_variable) return say::condition_misses(check->line, ListNames(names));
  return !VariableOfLoopBetween(source, names.front(), check->line, line).empty()
             ? say::condition_is_before_loop(check->line, names.front())
             : say::condition_leaves_out(check->line, names.front());
}

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

namespace {

/// Whether a cause begins with "the condition in line 33", where 33 is the line of the access.
bool BeginsWithConditionIn(int line, const Message& why) {
  const auto is_one_of = [&](const auto&... rows) { return (rows.Made(why) || ...); };
  return is_one_of(say::condition_has_computed_limit, say::condition_leaves_out,
                   say::condition_is_before_loop, say::condition_leaves_out_row,
                   say::condition_leaves_out_column, say::condition_misses, say::condition_lets_it,
                   say::condition_lets_the_end, say::condition_lets_the_end_by, say::condition_needs_all,
                   say::condition_needs_either) &&
         why.arguments().at(0).number == line;
}

/// Whether a cause ends with a question about a value "in that thread", which must come before it.
bool AsksForValue(const Message& why) {
  return say::condition_has_computed_limit.Made(why) || say::index_is_computed.Made(why) ||
         say::indices_are_computed.Made(why);
}

}  // namespace

Message OutsideBecause(int line, const Message& why) {
  return BeginsWithConditionIn(line, why) ? say::outside_by_that_condition(why)
                                          : say::outside_because(say::Line(line), why);
}

Message OutsideBecause(int line, const Message& why, const say::Thread& thread, const say::Thread& block,
                       const Message& access) {
  const bool begins_with_line = BeginsWithConditionIn(line, why);
  if (AsksForValue(why)) {
    return begins_with_line ? say::index_outside_and_value_here(thread, block, access, why)
                            : say::index_outside_and_value(say::Line(line), thread, block, access, why);
  }
  return begins_with_line ? say::index_outside_by_that_condition(why, thread, block, access)
                          : say::index_outside_because(say::Line(line), why, thread, block, access);
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
    if (why.empty() && say::which_element_if_any.Made(known) && HasNeighbours(result.source, line)) {
      message = say::elements_outside(line, say::Thread(arguments.at(1).text),
                                      say::Thread(arguments.at(2).text), access);
    } else if (!why.empty()) {
      message = OutsideBecause(line, why, say::Thread(arguments.at(1).text),
                               say::Thread(arguments.at(2).text), access);
    }
  });
}

namespace {

/// What an access outside a shared array says of it; no name if it has none.
struct SharedAccess {
  std::string array;
  bool is_before_start = false;
};

SharedAccess SharedAccessOf(Message access) {
  SharedAccess found;
  Visit(access, [&](Message& each) {
    if (say::IsSharedObject(each)) found.array = each.arguments().at(0).text;
    found.is_before_start |= say::before_start.Made(each);
  });
  return found;
}

}  // namespace

void NameSharedLoads(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    if (!say::shared_load_outside.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const auto line = static_cast<int>(said.at(0).number);
    const say::Thread thread(said.at(1).text), block(said.at(2).text);
    const Message& access = said.at(3).inner.at(0);
    const SharedAccess outside = SharedAccessOf(access);
    const auto passage = PassageTo(result.source, line, outside.array);
    // A loop that goes too far leaves an array at its end.
    if (!passage || (!passage->variable.empty() && outside.is_before_start)) return;
    const auto check = CheckOfAccess(result.source, line, true, "");
    const bool lets_end = check && check->line == passage->line && passage->variable.empty() &&
                          check->compares.size() <= 2 && !check->compares.empty();
    if (lets_end && IsRightPastSharedEnd(access)) {
      message = say::shared_load_by_inclusive_condition(line, thread, block, access, check->line,
                                                        check->should_compare, check->compares);
      return;
    }
    message = passage->variable.empty()
                  ? say::shared_load_by_condition(line, thread, block, access, passage->line)
                  : say::shared_load_by_loop(line, thread, block, access, passage->line, passage->variable);
  });
}

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
    if (each.evidence.Mentions(say::product_rows_by_division.id)) each.message = say::divide_by_row_length();
  }
}

namespace {

/// Of a message about a call: what is the case there, where a wrong place of some elements may be the cause;
/// else empty.
Message EffectOfPlaces(const Message& message) {
  if (!say::with_call.Made(message)) return {};
  const Message& what = message.arguments().at(1).inner.at(0);
  const std::vector<Argument>& said = what.arguments();
  if (say::values_sum_of_other.Made(what)) return say::sum_belongs_to(said.at(0).text, said.at(1).text);
  if (!say::both.Made(what)) return {};
  const Message& launch = said.at(1).inner.at(0);
  const bool has_threads =
      say::product_enough_threads.Made(launch) || say::product_block_for_each_tile.Made(launch);
  return has_threads ? said.at(0).inner.at(0) : Message();
}

}  // namespace

void NameWrongDivisions(ExerciseResult& result) {
  VisitWithExplanations(result, [&](Message& message) {
    const Message effect = EffectOfPlaces(message);
    if (effect.empty()) return;
    const Message call = message.arguments().at(0).inner.at(0);
    // The sides of chapter 2's matrices.
    if (const auto row = FindDivisionByRows(result.source, "j", {"k", "l"})) {
      message = row->of_tiles
                    ? say::cause_with_example(say::tile_row_divided_by_rows(
                                                  row->quotient, say::Line(row->line), row->divisor, "j"),
                                              call, effect, say::divide_by_tiles_across("l"))
                    : say::cause_with_example(
                          say::row_divided_by_rows(row->quotient, say::Line(row->line), "l", "j"), call,
                          effect, say::divide_by_length("l"));
    } else if (const auto rest = FindNoRemainder(result.source)) {
      message = say::cause_with_example(say::no_remainder(rest->subtracted, say::Line(rest->line),
                                                          say::Line(rest->quotient_line), rest->divisor),
                                        call, effect, say::subtract_same_divisor(rest->divisor));
    }
  });
}

void NameOtherBlockIndex(ExerciseResult& result) {
  VisitWithExplanations(result, [&](Message& message) {
    if (!say::with_call.Made(message)) return;
    const std::vector<Argument> outer = message.arguments();
    const Message& what = outer.at(1).inner.at(0);
    if (!what.Is("row_of_another_block")) return;  // A row of the suites'.
    const std::vector<Argument>& said = what.arguments();
    const std::string& array = said.at(3).text;
    const auto other = FindOtherBlockIndex(result.source, array, "P");
    if (!other) return;
    message = say::cause_with_example(
        say::row_from_other_block_index(other->variable, say::Line(other->line)), outer.at(0).inner.at(0),
        say::computed_from_row(said.at(0).text, said.at(1).number, said.at(2).number), say::take_block_row());
  });
}

void NameFoursOfAnotherSide(ExerciseResult& result) {
  VisitWithExplanations(result, [&](Message& message) {
    if (!say::which_byte_begins.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const std::string array = English(said.at(0).inner.at(0));
    const std::string length = array == "M" ? "k" : array == "N" ? "l" : array == "Mt" ? "j" : "";
    constexpr std::int64_t kFloats = 16;
    const auto asked = FindAskedForFours(result.source, {"j", "k", "l"});
    if (length.empty() || !asked || asked->side == length || said.at(2).number != kFloats) return;
    message = say::fours_of_another_side(array, say::Line(static_cast<int>(said.at(1).number)),
                                         say::Line(asked->line), asked->side, length, said.at(2).number);
  });
}

void PreferUncheckedSum(ExerciseResult& result) {
  const bool is_of_check = result.next_step.Mentions(say::product_beyond_last.id) ||
                           result.next_step.Mentions(say::zero_in_tile.id) ||
                           result.next_step.Mentions(say::zero_of_idle_threads.id) ||
                           result.next_step.Mentions(say::zero_for_factor.id);
  if (!is_of_check || !result.misconceptions.empty() || !result.advice) return;
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
      test.next_step = say::index_outside_because(
          finding.where.line, WhatOneChecksInstead(result.source, finding.where.line, *check->sums, array),
          {thread.x, thread.y, thread.z}, {block.x, block.y, block.z}, access);
      test.advised = i;
      result.next_step = test.next_step;
      result.advice->test = test.name;
      result.advice->finding = finding;
      return;
    }
  }
}

}  // namespace warplings
