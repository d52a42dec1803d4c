// SPDX-License-Identifier: Apache-2.0
#include "grader/source_notes/threads.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/access_checks.h"
#include "grader/build/code_loops.h"
#include "grader/build/grid_strides.h"
#include "grader/build/last_phases.h"
#include "grader/build/local_arrays.h"
#include "grader/build/loop_steps.h"
#include "grader/build/lost_changes.h"
#include "grader/build/output_stores.h"
#include "grader/build/own_shuffles.h"
#include "grader/build/plain_code.h"
#include "grader/build/race_loops.h"
#include "grader/build/shared_reads.h"
#include "grader/build/source_places.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/source_notes/visit.h"

namespace warplings {

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
      if (missed->why == MissedBarrier::Why::kJump)
        finding.message =
            say::part_of_warp_jumps_past_barrier(numbers.at(0).number, numbers.at(1).number,
                                                 numbers.at(2).number, missed->jump, say::Line(missed->line));
      return;
    }
    if (missed->why == MissedBarrier::Why::kJump) return;  // Who left a loop may return behind it, or not.
    const auto& row =
        missed->why == MissedBarrier::Why::kCondition ? say::barrier_skipped : say::barrier_after_return;
    finding.message = row(numbers.at(0).number, numbers.at(1).number, say::Line(missed->line));
  };
  for (TestResult& test : result.tests) std::ranges::for_each(test.findings, explain);
  if (result.advice && result.advice->finding) explain(*result.advice->finding);
  Visit(result, [&](Message& message) {
    if (!say::which_threads_skip.Made(message)) return;
    const auto line = static_cast<int>(message.arguments().at(0).number);
    const auto missed = WhyMissed(result.source, line);
    if (missed && missed->why == MissedBarrier::Why::kJump)
      message = say::jump_skips_barrier(line, missed->jump, say::Line(missed->line));
  });
}

namespace {

/// Whether threads of that kernel leave an array in global memory, in a line that every thread comes to.
bool HasUnguardedAccess(const ExerciseResult& result, const std::string& kernel) {
  return std::ranges::any_of(result.tests, [&](const TestResult& test) {
    return std::ranges::any_of(test.findings, [&](const Finding& finding) {
      return finding.kind == FindingKind::kOutOfBounds && finding.space == MemorySpace::kGlobal &&
             finding.kernel == kernel && EveryThreadRuns(result.source, finding.where.line);
    });
  });
}

}  // namespace

void NameUnguardedRaces(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    if (!say::storing_threads.Made(message)) return;
    const std::vector<Argument> arguments = message.arguments();
    const int line = static_cast<int>(arguments.at(4).number);
    if (const auto check = CheckOfAccess(result.source, line, false, ""); check && check->lets_next_row) {
      message = say::storing_threads_past_row(say::Thread(arguments.at(0).text), arguments.at(1).inner.at(0),
                                              say::Thread(arguments.at(2).text), arguments.at(3).inner.at(0),
                                              say::Line(line), say::Line(check->line), check->should_compare,
                                              check->compares);
      return;
    }
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
                                                 said.at(4).text);
  };
  VisitWithExplanations(result, visitor);
}

namespace {

/// What a step that doubles a sum explains of a message: that statement alone; else empty.
Message DoubledSum(const Message& message) {
  const std::vector<Argument>& said = message.arguments();
  if (say::product_repeated_all.Made(message) && say::added_twice.Made(said.at(0).inner.at(0)))
    return say::product_contains_all(say::added_twice());
  if (!say::linear_has_times.Made(message)) return {};
  // Each of such steps doubles it.
  const std::int64_t times = said.at(2).number;
  if ((times & (times - 1)) != 0) return {};
  return say::linear_contains_times(said.at(0).text, said.at(1).inner.at(0), times);
}

}  // namespace

void NameOwnShuffles(ExerciseResult& result) {
  const auto shuffle = FindOwnShuffle(result.source);
  if (!shuffle) return;
  const say::Line line = shuffle->line;
  constexpr int kLanes = 32;
  const Message why = shuffle->group == 0 ? say::shuffle_up_returns_own(line, shuffle->distance)
                      : shuffle->group == kLanes
                          ? say::shuffle_past_warp(line, shuffle->farthest)
                          : say::shuffle_past_group(line, shuffle->farthest, shuffle->group);
  const Message question = shuffle->group == 0        ? say::which_lanes_add()
                           : shuffle->group == kLanes ? say::at_which_distance_to_begin()
                                                      : say::how_many_lanes_in_group();
  const Visitor visitor = [&](Message& message) {
    if (say::with_call.Made(message)) {
      const std::vector<Argument> said = message.arguments();
      const Message effect = DoubledSum(said.at(1).inner.at(0));
      if (!effect.empty()) message = say::cause_with_example(why, said.at(0).inner.at(0), effect, question);
    } else if (const Message effect = DoubledSum(message); !effect.empty()) {
      message = say::both(effect, say::cause_and_remedy(why, question));
    }
  };
  VisitWithExplanations(result, visitor);
}

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

void NameStoresOfAThread(ExerciseResult& result) {
  const auto stores = FindOutputStores(result.source, "P");
  if (!stores) return;
  VisitWithExplanations(result, [&](Message& message) {
    const bool of_rows = say::product_launch_has_rows.Made(message);
    if (!of_rows && !say::product_launch_has_columns.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const Message &blocks = said.at(0).inner.at(0), &threads = said.at(1).inner.at(0);
    const std::int64_t has = said.at(2).number, needed = said.at(3).number;
    if (stores->loop_line == 0) {
      const auto& row = of_rows ? say::product_launch_needs_rows : say::product_launch_needs_columns;
      message = row(blocks, threads, has, needed);
    } else {
      const auto& row = of_rows ? say::product_loop_skips_rows : say::product_loop_skips_columns;
      message = row(blocks, threads, has, needed, stores->loop_line);
    }
  });
}

void NameFixedLoops(ExerciseResult& result) {
  const auto loop = FindFixedLoop(result.source, "C", "coarse_factor");
  if (!loop) return;
  VisitWithExplanations(result, [&](Message& message) {
    if (!say::with_call.Made(message)) return;
    const Message call = message.arguments().at(0).inner.at(0), what = message.arguments().at(1).inner.at(0);
    const bool is_missing = what.Mentions(say::held_nothing.id) || say::values_unstored_from.Made(what);
    if (!call.Is("when_not_to_call") || !is_missing || call.arguments().at(1).number <= loop->passes) return;
    message = say::fixed_loop_stores_few(say::Line(loop->line), loop->variable, loop->passes, call);
  });
}

namespace {

/// Of a call in which no product is added at all: the width, where a width has one phase then; else 0.
std::int64_t WidthWithoutProducts(const Message& message) {
  if (!say::with_call.Made(message)) return 0;
  const Message& call = message.arguments().at(0).inner.at(0);
  return say::width.Made(call) && message.Mentions(say::product_all_zero.id) ? call.arguments().at(0).number
                                                                             : 0;
}

}  // namespace

void NameEmptyLastPhase(ExerciseResult& result) {
  VisitWithExplanations(result, [&](Message& message) {
    if (const std::int64_t width = WidthWithoutProducts(message)) {
      // The tile is as wide: with `width % tile` products in its only phase, none is added.
      if (const auto rest = FindRemainder(result.source, {"width"}, width))
        message =
            say::values_products_without_only_phase(rest->text, rest->line, say::Count(width, "product"));
      return;
    }
    if (message.Is("dynamic_tiles_no_product")) {  // A row of a suite.
      const std::int64_t width = message.arguments().at(0).number, tile = message.arguments().at(1).number;
      const auto rest = FindRemainder(result.source, {"width"}, tile, "tile");
      if (rest && width == tile)
        message =
            say::values_products_without_only_phase(rest->text, rest->line, say::Count(width, "product"));
      return;
    }
    if (!say::values_products_up_to.Made(message)) return;
    const std::vector<Argument> said = message.arguments();
    const std::int64_t all = said.at(1).number, added = said.at(2).number, tile = all - added;
    if (all % tile != 0) return;
    const auto remainder = FindRemainder(result.source, {"width", "k"}, tile);
    if (remainder)
      message = say::values_products_without_last_phase(remainder->text, remainder->line, all, added);
  });
}

namespace {

/// Of a call with matrices of these sides: what a loop that adds several products in each pass explains; else
/// empty.
Message LoopOfProducts(const ExerciseResult& result, const Message& message) {
  if (!say::with_call.Made(message)) return {};
  const Message &call = message.arguments().at(0).inner.at(0), &what = message.arguments().at(1).inner.at(0);
  if (!say::product_call.Made(call)) return {};
  const std::int64_t inner = call.arguments().at(1).number;
  const std::vector<Argument>& said = what.arguments();
  if (say::product_ends_early.Made(what)) {
    const auto loop = FindLoopThatEndsEarly(result.source, "k");
    if (!loop || inner % loop->steps != 0 || inner - said.at(1).number != loop->steps) return {};
    return say::cause_with_example(
        say::loop_leaves_out_last_pass(loop->condition, say::Line(loop->line), "k", loop->steps), call,
        say::sums_lack_last_products(said.at(0).inner.at(0)), say::write_at_most(loop->right));
  }
  if (!say::product_repeated.Made(what)) return {};
  const auto rest = FindRestThatBeginsEarly(result.source, "k");
  if (!rest || said.at(2).number != inner / rest->steps) return {};
  return say::cause_with_example(say::rest_begins_too_early(say::Line(rest->line), rest->passes), call,
                                 say::products_added_again(said.at(0).inner.at(0), said.at(1).inner.at(0)),
                                 say::begin_at_product(rest->right));
}

}  // namespace

void NameLoopsOfSteps(ExerciseResult& result) {
  VisitWithExplanations(result, [&](Message& message) {
    if (Message loop = LoopOfProducts(result, message); !loop.empty()) message = std::move(loop);
  });
  VisitWithExplanations(result, [&](Message& message) {
    const std::vector<Argument> said = message.arguments();
    if (say::product_lacks_last.Made(message)) {
      const auto loop = FindLoopOfSteps(result.source);
      const std::int64_t products = said.at(1).number;
      if (loop && products % loop->steps == 1)
        message = say::product_lacks_last_of_steps(said.at(0).text, products, loop->line, loop->steps);
    } else if (message.Is("dynamic_tiles_load_outside")) {  // Rows of a suite, as the next one.
      const int line = static_cast<int>(said.at(0).number);
      const auto loop = FindLoopOfSteps(result.source, line);
      const std::int64_t tile = said.at(3).number;
      if (loop && tile % loop->steps != 0)
        message = say::tiles_left_over_outside(line, loop->line, loop->steps, tile);
    } else if (message.Is("dynamic_tiles_no_product")) {
      const auto loop = FindLoopOfSteps(result.source);
      const std::int64_t tile = said.at(1).number;
      if (loop && tile < loop->steps)
        message = say::tiles_left_over_lost(said.at(0).number, tile, loop->line, loop->steps);
    }
  });
}

void NameTilesAtOnePlace(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  int arrays = 0;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at)
    arrays += tokens[at].text == "extern" && tokens[at + 1].text == "__shared__" ? 1 : 0;
  if (arrays != 2) return;
  VisitWithExplanations(result, [&](Message& message) {
    if (!message.Is("dynamic_tiles_overlap_in_first")) return;
    const std::vector<Argument> said = message.arguments();
    const auto number = [&](std::size_t i) { return static_cast<int>(said.at(i).number); };
    message = say::tiles_overlap_at_start(number(0), number(1), number(2));
  });
}

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

namespace {

/// The fence that stands where a barrier should order accesses in two lines of a loop, from one pass to the
/// next; null if there is a barrier, or neither.
const CodeToken* FenceBetweenPasses(const std::vector<CodeToken>& tokens, int first, int last) {
  const auto has = [&](const CodeLoop& loop, int line) {
    return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(loop.body),
                       tokens.begin() + static_cast<std::ptrdiff_t>(loop.end),
                       [&](const CodeToken& each) { return each.line == line; });
  };
  const CodeLoop* around = nullptr;
  const std::vector<CodeLoop> loops = LoopsOf(tokens);
  for (const CodeLoop& loop : loops) {
    if (has(loop, first) && has(loop, last)) around = &loop;
  }
  if (around == nullptr) return nullptr;
  const CodeToken* fence = nullptr;
  for (std::size_t i = around->body; i < around->end; ++i) {
    const CodeToken& token = tokens[i];
    if (first <= token.line && token.line <= last) continue;
    if (token.text.starts_with("__sync") || token.text == "sync") return nullptr;
    if (token.text.starts_with("__threadfence")) fence = &token;
  }
  return fence;
}

/// Whether something between the lines may let threads of a block wait for each other, or leads elsewhere:
/// then the source does not show what comes between.
bool MayWaitBetween(const std::vector<CodeToken>& tokens, int first, int last) {
  return std::ranges::any_of(tokens, [&](const CodeToken& each) {
    if (each.line < first || each.line > last) return false;
    const std::string& text = each.text;
    const bool may_wait = text.starts_with("__sync") || text == "sync" || text == "asm" ||
                          text.find("barrier") != std::string::npos || text.find("wait") != std::string::npos;
    return (may_wait && text != "__syncwarp") || text == "__global__" || text == "__device__";
  });
}

/// The fence in the lines between the two; null if there is none.
const CodeToken* FenceBetween(const std::vector<CodeToken>& tokens, int first, int last) {
  const auto fence = std::ranges::find_if(tokens, [&](const CodeToken& each) {
    return each.text.starts_with("__threadfence") && first <= each.line && each.line <= last;
  });
  return fence == tokens.end() ? nullptr : &*fence;
}

/// The one atomic function that the line calls; empty if there are several, or none.
std::string AtomicIn(const std::vector<CodeToken>& tokens, int line) {
  std::string function;
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    const bool is_call = tokens[at].text.starts_with("atomic") && tokens[at + 1].text == "(";
    if (tokens[at].line != line || !is_call) continue;
    if (!function.empty()) return "";
    function = tokens[at].text;
  }
  return function;
}

/// Facts of an exercise about its atomic operations, whose misconceptions say more.
constexpr const char* kStoredAfterAtomic = "hist_stored_after_atomic";
constexpr const char* kFactsOfAtomics[] = {"hist_counted_before_cleared", "hist_merged_before_counted",
                                           kStoredAfterAtomic};

/// What to say of a race with an atomic operation; empty of another one.
Message RaceWithAtomic(const Finding& race, const std::vector<CodeToken>& tokens) {
  if (!say::IsSharedObject(race.object)) return {};
  const bool is_atomic = race.access == Access::kAtomic;
  const bool is_other_atomic = race.other_access == Access::kAtomic;
  if (is_atomic == is_other_atomic) return {};
  const int atomic = is_atomic ? race.where.line : race.other->line;
  const int plain = is_atomic ? race.other->line : race.where.line;
  const bool is_store = (is_atomic ? race.other_access : race.access) == Access::kWrite;
  const std::string function = AtomicIn(tokens, atomic);
  const std::string& array = race.object.arguments().at(0).text;
  if (function.empty()) return {};
  const say::Line atomic_line(atomic), plain_line(plain);
  if (is_store && plain < atomic) return say::atomic_before_stored(plain_line, array, atomic_line, function);
  if (!is_store && atomic < plain) return say::read_before_added(atomic_line, array, plain_line, function);
  return {};
}

}  // namespace

void NameRacesWithAtomics(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        race->where.line == 0 || race->other->line == 0 || race->where.file != race->other->file)
      continue;
    const auto [first, last] = std::minmax(race->where.line, race->other->line);
    if (first == last || MayWaitBetween(tokens, first, last)) continue;
    const bool has_own_words =
        std::ranges::any_of(kFactsOfAtomics, [&](const char* fact) { return each.evidence.Mentions(fact); });
    const Message shown = has_own_words ? Message() : RaceWithAtomic(*race, tokens);
    if (!shown.empty()) {
      each.evidence = shown;
      each.fact_first = true;
      each.message = say::wait_between_these_lines();
    }
    // Of two stores, or of one that comes after the additions, a barrier is not the cure.
    const bool reads_early =
        race->access != race->other_access && !each.evidence.Mentions(kStoredAfterAtomic);
    const CodeToken* fence = reads_early ? FenceBetween(tokens, first, last) : nullptr;
    if (fence != nullptr) each.message = say::fence_between(fence->text, say::Line(fence->line));
  }
}

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
        !(say::race_in_block.Made(race->message) || say::race_before_next_write.Made(race->message)))
      continue;
    const auto [first, last] = std::minmax(race->where.line, race->other->line);
    if (say::race_in_block.Made(race->message) && are_between("__syncwarp", first, last) &&
        !are_between("__syncthreads", first, last))
      each.message = say::syncwarp_between();
    if (!are_between("__syncthreads", first, last)) continue;
    if (const CodeToken* fence = FenceBetweenPasses(tokens, first, last))
      each.message = say::fence_between(fence->text, say::Line(fence->line));
  }
}

void NameBarriersUnderConditions(ExerciseResult& result) {
  const std::vector<CodeToken> tokens = TokensOf(WithoutComments(result.source));
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        !say::race_in_warp.Made(race->message))
      continue;
    const auto [first, last] = std::minmax(race->where.line, race->other->line);
    // In a loop, the condition may be about the step.
    if (LoopAround(result.source, first, last)) continue;
    std::vector<int> barriers;
    for (const CodeToken& token : tokens) {
      if (token.text == "__syncthreads" && first < token.line && token.line < last)
        barriers.push_back(token.line);
    }
    if (barriers.size() != 1) continue;
    const auto missed = WhyMissed(result.source, barriers.front());
    if (!missed || missed->why != MissedBarrier::Why::kCondition || missed->line <= first) continue;
    const say::Line barrier(barriers.front()), condition(missed->line);
    each.message = barriers.front() == missed->line ? say::barrier_under_condition_here(barrier)
                                                    : say::barrier_under_condition(barrier, condition);
  }
}

void NameUnguardedSteps(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || race->kind != FindingKind::kRace || race->space != MemorySpace::kShared || !race->other ||
        race->where != *race->other || !AddsInAllThreads(result.source, race->where.line))
      continue;
    each.evidence = say::every_thread_adds(say::Line(race->where.line));
    each.fact_first = true;
    each.message = say::which_threads_add();
  }
}

void NameStepsWithoutBarrier(ExerciseResult& result) {
  std::vector<Renamed> renamed;
  VisitFindings(result, [&](Finding& finding) {
    if (!finding.other || finding.where != *finding.other) return;
    const Message before = finding.message;
    NamePassesOfRace(finding, result.source);
    Remember(before, finding.message, renamed);
  });
  if (renamed.empty()) return;
  for (Misconception& each : result.misconceptions) {
    const std::optional<Finding>& race = each.finding;
    if (!race || !say::race_before_next_write.Made(race->message) || race->where != race->other) continue;
    if (const auto loop = FindStepWithoutBarrier(result.source, race->where.line))
      each.message = say::wait_after_each_step(*loop);
  }
  Rename(result, renamed);
}

namespace {

/// The kernel that all tests which the misconception explains have launched; empty if there are several.
std::string OnlyKernelOf(const ExerciseResult& result, const Misconception& told) {
  std::set<std::string> kernels;
  for (const TestResult& test : result.tests) {
    const bool is_explained = !told.tests || std::ranges::count(*told.tests, test.name) > 0;
    if (!HasFailed(test) || !is_explained) continue;
    for (const LaunchRecord& launch : test.launches) kernels.insert(launch.kernel);
  }
  return kernels.size() == 1 ? *kernels.begin() : "";
}

}  // namespace

void NameUnsharedReads(ExerciseResult& result) {
  for (Misconception& each : result.misconceptions) {
    if (!each.evidence.Mentions("reverse_unshared")) continue;
    const SharedReads reads = FindSharedReads(result.source, OnlyKernelOf(result, each));
    if (reads == SharedReads::kByName) each.message = English(say::reads_own_element_back());
    if (reads == SharedReads::kNone) each.message = English(say::no_shared_array_is_read());
  }
}

namespace {

/// The array of a race within that line, as the source calls it; empty if none was found.
std::string ArrayOfRaceIn(int line, const ExerciseResult& result) {
  for (const TestResult& test : result.tests) {
    for (const Finding& race : test.findings) {
      if (race.kind != FindingKind::kRace || race.where.line != line || race.where != race.other) continue;
      return say::NameOfArray(race.object);
    }
  }
  return "";
}

}  // namespace

void NameLostChanges(ExerciseResult& result) {
  Visit(result, [&](Message& message) {
    const bool is_of_warp =
        say::both.Made(message) && say::lanes_need_it_too.Made(message.arguments().at(1).inner.at(0));
    const Message step = is_of_warp ? message.arguments().at(0).inner.at(0) : message;
    if (!say::racing_line.Made(step)) return;
    const std::vector<Argument>& said = step.arguments();
    const auto line = static_cast<int>(said.at(3).number);
    const std::string array = ArrayOfRaceIn(line, result);
    const bool is_total = !array.empty() && OneElementAddedTo(result.source, line, array);
    if (!is_total && !ChangesWhatItLoads(result.source, line)) return;
    // The race of an element that only one thread changes is another one.
    if (!array.empty() && HasOwnElement(result.source, line, array)) return;
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

}  // namespace warplings
