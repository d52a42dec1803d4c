// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/04_occupancy/occupancy_answers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>

#include "grader/device/occupancy.h"
#include "grader/suite/evidence.h"
#include "tests/suites/04_occupancy/messages.h"

namespace warplings::occupancy_exercise {
namespace {

constexpr int kWarp = 32;

using All = std::vector<Asked<Question, ::Occupancy>>;

int RoundUp(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

BlockShape ShapeOf(const KernelUse& use) {
  return {.threads = static_cast<std::uint32_t>(use.threads_per_block),
          .registers = static_cast<std::uint32_t>(use.registers),
          .static_shared_bytes = static_cast<std::uint32_t>(use.shared_bytes)};
}

using step_search::Versions;

// Versions of the steps, in the order of the table below; 0 is the right one.
enum Warps { kWhole, kThreads, kPartialLeftOut, kOneWarpMore };
enum Threads { kLimited, kNoMost, kMostRefused, kByThreads };
enum OfWarp {
  kRoundedUp,
  kNotRounded,
  kRoundedDown,
  kRoundedByThread,
  kOneUnitMore,
  kBy256 = kRegistersBy256
};
enum File {
  kFour,
  kOneFile,
  kBlocksByPartition,
  kOnePartition,
  kByBlocksThreads = kRegistersOfThreads,
  kFileLeftOut = kRegistersLeftOut,
  kRoundedByBlock = kRegistersOfBlockUp,
  kDealtOut,
  kWarpsInPairs
};
enum OfBlock {
  kTogether,
  kReserveLeftOut,
  kOwnReserveLeftOut,
  kSharedAsIs,
  kSharedDown,
  kReserveOnEachCard,
  kOneSharedUnitMore,
  kReserveTwice,
  kReserveBehind = kReservedAfterRounding,
  kBy128,
  kBy256Bytes
};
enum Shared {
  kBySm,
  kNoMostShared,
  kReserveCounts,
  kAllRefused,
  kNothingIsNone,
  kByMostOfBlock,
  kSharedLeftOut,
  kTakenCounts,
  kReserveTakenOnce,
  kRoundedTogether
};
enum Quotient {
  kWarpsByWarps,
  kOfInts,
  kByThreadSlots,
  kPercent,
  kWarpsByThreads,
  kBlocksBySlots,
  kOf64,
  kFullWarps,
  kOfReachable,
  kOfThreadSlots,
  kAlwaysZero
};
enum Limits {
  kEach,
  kNoneForNone,
  kNoThreads,
  kNoRegisters,
  kNoShared,
  kNoBlocks,
  kNumbered,
  kNoneForRefused,
  kNoneAtTies,
  kOneForRefused,
  kNeverTakenBack,
  kNeverTakenBackFromSlots,
  kSharedOnlyIfAsked
};

const std::vector<step_search::Step> kSteps = {
    {{"threads_not_warps", say::step_threads_counted()},
     {"another_step", say::step_partial_warp_left_out()},
     {"another_step", say::step_one_warp_more()}},
    {{"block_size_not_limited", say::step_no_most_threads()},
     {"another_step", say::step_most_threads_refused()},
     {"threads_not_warps", say::step_slots_by_threads()},
     {"another_step", say::step_slots_left_out()}},
    {{"registers_not_rounded", say::step_registers_as_they_are()},
     {"another_step", say::step_registers_down()},
     {"another_step", say::step_registers_of_thread_up()},
     {"another_step", say::step_register_unit_more()},
     {"another_step", say::step_registers_by_256()}},
    {{"partitions_forgotten", say::step_one_register_file()},
     {"another_step", say::step_blocks_into_partitions()},
     {"another_step", say::step_one_partition()},
     {"registers_not_rounded", say::step_registers_of_threads()},
     {"another_step", say::step_registers_left_out()},
     {"another_step", say::step_registers_of_block_up()},
     {"another_step", say::step_warps_dealt_out()},
     {"another_step", say::step_warps_in_pairs()}},
    {{"reserved_forgotten", say::step_reserve_left_out()},
     {"nothing_asked_nothing_taken", say::step_reserve_only_if_asked()},
     {"another_step", say::step_shared_as_it_is()},
     {"another_step", say::step_shared_down()},
     {"another_step", say::step_reserve_on_each_card()},
     {"another_step", say::step_shared_unit_more()},
     {"another_step", say::step_reserve_twice()},
     {"another_step", say::step_reserve_behind()},
     {"another_step", say::step_shared_by(128)},
     {"another_step", say::step_shared_by(256)}},
    {{"another_step", say::step_no_most_shared()},
     {"another_step", say::step_reserve_counts()},
     {"another_step", say::step_most_shared_refused()},
     {"another_step", say::step_none_without_shared()},
     {"another_step", say::step_most_of_block_divided()},
     {"another_step", say::step_shared_left_out()},
     {"another_step", say::step_reserve_counts()},
     {"reserved_forgotten", say::step_reserve_once()},
     {"another_step", say::step_shared_rounded_together()}},
    {{"block_slots_forgotten", say::step_no_most_blocks()}},
    {{"another_step", say::step_quotient_of_ints()},
     {"threads_not_warps", say::step_threads_over_slots()},
     {"another_step", say::step_percent()},
     {"another_step", say::step_warps_over_slots()},
     {"another_step", say::step_blocks_over_slots()},
     {"another_step", say::step_64_warps()},
     {"another_step", say::step_full_warps()},
     {"another_step", say::step_of_reachable()},
     {"another_step", say::step_of_blocks_by_threads()},
     {"another_step", say::step_occupancy_always_zero()}},
    {{"another_step", say::step_no_limit_of_none()},
     {"another_step", say::step_threads_never_named()},
     {"another_step", say::step_registers_never_named()},
     {"another_step", say::step_shared_never_named()},
     {"another_step", say::step_blocks_never_named()},
     {"another_step", say::step_limits_numbered()},
     {"another_step", say::step_no_limit_of_refused()},
     {"another_step", say::step_no_limit_at_ties()},
     {"another_step", say::step_one_limit_of_refused()},
     {"another_step", say::step_limit_kept()},
     {"another_step", say::step_limit_kept_from_slots()},
     {"another_step", say::step_shared_named_if_asked()}}};

/// What a block takes of the warps: in warps, or, where whole warps are left out, in parts of one.
double WarpsOf(const KernelUse& use, int version) {
  switch (version) {
    case kThreads: return use.threads_per_block / double{kWarp};
    case kPartialLeftOut: return std::max(use.threads_per_block / kWarp, 1);
    case kOneWarpMore: return use.threads_per_block / kWarp + 1;
    default: return RoundUp(use.threads_per_block, kWarp) / kWarp;
  }
}

int ByThreads(const SmLimits& sm, const KernelUse& use, const Versions& v) {
  const int version = v[kThreadSlots], most = sm.max_threads_per_block;
  if (version != kNoMost && use.threads_per_block > most - (version == kMostRefused ? 1 : 0)) return 0;
  if (version == kThreadSlotsLeftOut) return INT_MAX;
  if (version == kByThreads) return sm.max_threads / use.threads_per_block;
  return static_cast<int>(sm.max_threads / kWarp / WarpsOf(use, v[kWarpsOfBlock]));
}

int RegistersOfWarp(const SmLimits& sm, const KernelUse& use, int version) {
  const int exact = use.registers * kWarp;
  switch (version) {
    case kNotRounded: return exact;
    case kRoundedDown: return std::max(exact / sm.register_unit * sm.register_unit, 1);
    case kRoundedByThread: return RoundUp(use.registers, sm.register_unit) * kWarp;
    case kOneUnitMore: return (exact / sm.register_unit + 1) * sm.register_unit;
    case kBy256: return RoundUp(exact, 256);
    default: return RoundUp(exact, sm.register_unit);
  }
}

int ByRegisters(const SmLimits& sm, const KernelUse& use, const Versions& v) {
  if (use.registers == 0 || v[kRegisterFile] == kFileLeftOut) return INT_MAX;
  const int per_warp = RegistersOfWarp(sm, use, v[kRegistersOfWarp]);
  const double warps = WarpsOf(use, v[kWarpsOfBlock]);
  const int in_partition = sm.registers / 4 / per_warp;
  switch (v[kRegisterFile]) {
    case kOneFile: return static_cast<int>(sm.registers / per_warp / warps);
    case kBlocksByPartition: return 4 * static_cast<int>(in_partition / warps);
    case kOnePartition: return static_cast<int>(in_partition / warps);
    case kByBlocksThreads: return sm.registers / (use.registers * use.threads_per_block);
    case kDealtOut: return in_partition / static_cast<int>(std::ceil(warps / 4));
    case kWarpsInPairs: return 4 * in_partition / RoundUp(static_cast<int>(std::ceil(warps)), 2);
    case kRoundedByBlock:
      return sm.registers / RoundUp(static_cast<int>(use.registers * kWarp * warps), sm.register_unit);
    default: return static_cast<int>(4 * in_partition / warps);
  }
}

int SharedOfBlock(const SmLimits& sm, const KernelUse& use, int version) {
  const int asked = use.shared_bytes, reserved = sm.reserved_shared_bytes;
  switch (version) {
    case kReserveLeftOut: return RoundUp(asked, sm.shared_unit);
    case kOwnReserveLeftOut: return asked == 0 ? 0 : RoundUp(asked + reserved, sm.shared_unit);
    case kSharedAsIs: return asked + reserved;
    case kReserveOnEachCard: return RoundUp(asked + 1024, sm.shared_unit);
    case kOneSharedUnitMore: return ((asked + reserved) / sm.shared_unit + 1) * sm.shared_unit;
    case kReserveBehind: return RoundUp(asked, sm.shared_unit) + reserved;
    case kBy128: return RoundUp(asked + reserved, 128);
    case kBy256Bytes: return RoundUp(asked + reserved, 256);
    case kReserveTwice: return RoundUp(asked + 2 * reserved, sm.shared_unit);
    case kSharedDown: return (asked + reserved) / sm.shared_unit * sm.shared_unit;
    default: return RoundUp(asked + reserved, sm.shared_unit);
  }
}

int BySharedMemory(const SmLimits& sm, const KernelUse& use, const Versions& v) {
  const int version = v[kSharedMemory];
  const int taken = RoundUp(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (version == kTakenCounts && taken > sm.max_shared_bytes_per_block) return 0;
  const int counted = use.shared_bytes + (version == kReserveCounts ? sm.reserved_shared_bytes : 0) +
                      (version == kAllRefused ? 1 : 0);
  if (version == kSharedLeftOut) return INT_MAX;
  if (version != kNoMostShared && counted > sm.max_shared_bytes_per_block) return 0;
  if (version == kReserveTakenOnce) {
    const int asked = RoundUp(use.shared_bytes, sm.shared_unit);
    return asked == 0 ? INT_MAX : (sm.shared_bytes - sm.reserved_shared_bytes) / asked;
  }
  // What all blocks take fits into the SM: its bytes are whole units, so that rounding up changes nothing.
  if (version == kRoundedTogether && use.shared_bytes + sm.reserved_shared_bytes > 0) {
    return sm.shared_bytes / sm.shared_unit * sm.shared_unit / (use.shared_bytes + sm.reserved_shared_bytes);
  }
  const int per_block = SharedOfBlock(sm, use, v[kSharedOfBlock]);
  if (per_block == 0) return version == kNothingIsNone ? 0 : INT_MAX;
  return (version == kByMostOfBlock ? sm.max_shared_bytes_per_block : sm.shared_bytes) / per_block;
}

/// What each resource allows, with the bit that names it.
using ByResource = std::array<std::pair<int, int>, 4>;

ByResource AllowedBy(const SmLimits& sm, const KernelUse& use, const Versions& v) {
  return {{{ByThreads(sm, use, v), kLimitThreads},
           {ByRegisters(sm, use, v), kLimitRegisters},
           {BySharedMemory(sm, use, v), kLimitSharedMemory},
           {v[kBlockSlots] != 0 ? INT_MAX : sm.max_blocks, kLimitBlocks}}};
}

double OccupancyOf(const SmLimits& sm, const KernelUse& use, int blocks, const Versions& v) {
  const double resident = blocks * WarpsOf(use, v[kWarpsOfBlock]), most = sm.max_threads / double{kWarp};
  switch (v[kQuotient]) {
    case kOfInts: return std::floor(resident / most);
    case kByThreadSlots: return 1.0 * blocks * use.threads_per_block / sm.max_threads;
    case kPercent: return 100 * resident / most;
    case kWarpsByThreads: return resident / sm.max_threads;
    case kBlocksBySlots: return 1.0 * blocks / sm.max_blocks;
    case kOf64: return resident / 64;
    case kFullWarps: return blocks * (use.threads_per_block / kWarp) / most;
    case kOfReachable: return resident / std::min(most, sm.max_blocks * WarpsOf(use, v[kWarpsOfBlock]));
    case kOfThreadSlots:
      return resident /
             std::max(std::floor(most / WarpsOf(use, v[kWarpsOfBlock])) * WarpsOf(use, v[kWarpsOfBlock]),
                      1.0);
    case kAlwaysZero: return 0;
    default: return resident / most;
  }
}

/// Those that were the least, or as little, when they were asked, in that order from resource `first` on.
int LeastSoFar(const ByResource& by, std::size_t first) {
  int limits = 0, least = INT_MAX;
  for (std::size_t i = 0; i < by.size(); ++i) {
    const auto& [allowed, bit] = by[(first + i) % by.size()];
    if (allowed > least) continue;
    least = allowed;
    limits |= bit;
  }
  return limits;
}

/// By what would be allowed, and, for a block that is refused before anything is counted, by what it asks
/// for.
int LimitsNamed(const SmLimits& sm, const KernelUse& use, const ByResource& by, int blocks, int version) {
  const bool refused =
      use.threads_per_block > sm.max_threads_per_block || use.shared_bytes > sm.max_shared_bytes_per_block;
  if (version == kNeverTakenBack) return LeastSoFar(by, 0);
  if (version == kNeverTakenBackFromSlots) return LeastSoFar(by, 3);
  if (version == kNoneForNone && blocks == 0) return 0;
  if (version == kNoneForRefused && refused) return 0;
  const auto least = std::ranges::count(by, blocks, &std::pair<int, int>::first);
  if (version == kNoneAtTies && least > 1) return 0;
  if (version == kOneForRefused && refused)
    return use.threads_per_block > sm.max_threads_per_block ? kLimitThreads : kLimitSharedMemory;
  int limits = 0, number = 0;
  for (const auto& [allowed, bit] : by) {
    ++number;
    if (allowed != blocks ||
        (version >= kNoThreads && version <= kNoBlocks && number == version - kNoneForNone))
      continue;
    if (version == kSharedOnlyIfAsked && bit == kLimitSharedMemory && use.shared_bytes == 0) continue;
    limits += version == kNumbered ? number : bit;
  }
  return limits;
}

::Occupancy ArithmeticBy(const Question& q, const Versions& v) {
  const auto sm = LimitsOf(q);
  const ByResource by = AllowedBy(sm, q.use, v);
  const int blocks = std::ranges::min(by).first;
  return {blocks, OccupancyOf(sm, q.use, blocks, v), LimitsNamed(sm, q.use, by, blocks, v[kNamedLimits])};
}

bool Explains(const ::Occupancy& answer, const ::Occupancy& model) {
  return answer.blocks == model.blocks && SameOccupancy(answer.occupancy, model.occupancy);
}

template <class Predicate>
bool EachAnswer(const All& all, const Predicate& predicate) {
  return std::ranges::all_of(
      all, [&](const auto& each) { return !each.answer || predicate(each.question, *each.answer); });
}

Message Evidence(const Asked<Question, ::Occupancy>& wrong) {
  return say::occupancy_right_is(InWords(wrong.question), InWords(*wrong.answer),
                                 InWords(RightAnswer(wrong.question)));
}

/// What is wrong with the limits where blocks and occupancy come out in these versions.
std::vector<Fact> FactsOfLimits(const All& all, const Versions& values) {
  const auto is_wrong = [&](const auto& each) {
    return each.answer && each.answer->limits != ArithmeticBy(each.question, values).limits;
  };
  auto first = std::ranges::find_if(all, is_wrong);
  if (first == all.end()) return {};
  // Rather one of which nothing else is wrong.
  const auto only_limits = std::ranges::find_if(all, [&](const auto& each) {
    return is_wrong(each) && Explains(*each.answer, RightAnswer(each.question)) &&
           each.answer->limits != RightAnswer(each.question).limits;
  });
  if (only_limits != all.end()) first = only_limits;
  const bool one_of_several = EachAnswer(all, [&](const Question& q, const ::Occupancy& a) {
    const auto named = static_cast<unsigned>(a.limits);
    const auto meant = static_cast<unsigned>(ArithmeticBy(q, values).limits);
    return std::popcount(named) == 1 && (named & ~meant) == 0;
  });
  if (one_of_several) return {{"one_limit_named", Evidence(*first)}};
  step_search::Calculation<Question, ::Occupancy> limits = {std::vector<step_search::Step>(kSteps.size()),
                                                            [&](const Question& q, const Versions& versions) {
                                                              Versions both = values;
                                                              both[kNamedLimits] = versions[kNamedLimits];
                                                              return ArithmeticBy(q, both);
                                                            }};
  limits.steps[kNamedLimits] = kSteps[kNamedLimits];
  return step_search::Name(
      step_search::Explain(limits, Given(all),
                           [](const ::Occupancy& a, const ::Occupancy& b) { return a.limits == b.limits; }),
      say::occupancy_limits(), AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

/// True when all of these sets of steps name the same limits for each question.
bool AgreeOnLimits(const All& all, const std::vector<Versions>& sets) {
  return std::ranges::all_of(sets, [&](const Versions& set) {
    return EachAnswer(all, [&](const Question& q, const ::Occupancy&) {
      return ArithmeticBy(q, set).limits == ArithmeticBy(q, sets.front()).limits;
    });
  });
}

/// A resource, by its bit: its name, and what it alone allows.
Message NameOfLimit(int bit) {
  switch (bit) {
    case kLimitThreads: return say::limited_by_threads();
    case kLimitRegisters: return say::limited_by_registers();
    case kLimitSharedMemory: return say::limited_by_shared_memory();
    default: return say::limited_by_blocks();
  }
}

Message AllowedInWords(int blocks) {
  return blocks == INT_MAX ? say::resource_has_no_limit() : say::resource_allows(blocks);
}

/// Of an answer of which only the limits are wrong: one that is named though it is none, or else one that is
/// missing. Nothing of other answers.
Message AdviceOfLimits(const Question& q, const ::Occupancy& answer) {
  const ::Occupancy right = RightAnswer(q);
  if (!Explains(answer, right)) return {};
  const say::Count blocks(answer.blocks, "block");
  const ByResource by = AllowedBy(LimitsOf(q), q.use, Arithmetic().Right());
  for (const auto& [allowed, bit] : by) {
    if ((answer.limits & ~right.limits & bit) == 0) continue;
    const Message allows = allowed == INT_MAX ? say::resource_allows_any()
                                              : say::resource_allows_blocks(say::Count(allowed, "block"));
    return say::occupancy_names_too_much(InWords(q), NameOfLimit(bit), allows, blocks);
  }
  for (const auto& [allowed, bit] : by) {
    if ((right.limits & ~answer.limits & bit) == 0) continue;
    return say::occupancy_names_too_little(InWords(q), NameOfLimit(bit), blocks);
  }
  return {};
}

/// If all wrong answers lack the same single limit, of blocks that cannot be launched; else nothing.
Message LimitLackedWhereNoneFits(const std::vector<std::pair<Question, ::Occupancy>>& given) {
  int lacked = 0;
  const Question* first = nullptr;
  for (const auto& [question, answer] : given) {
    const ::Occupancy right = RightAnswer(question);
    const int lacks = right.limits & ~answer.limits;
    if (Explains(answer, right) && right.limits == answer.limits) continue;
    if (!Explains(answer, right) || right.blocks != 0 || right.limits != (answer.limits | lacks)) return {};
    if (lacked != 0 && lacked != lacks) return {};
    lacked = lacks;
    if (first == nullptr) first = &question;
  }
  const bool is_one = lacked == kLimitThreads || lacked == kLimitRegisters || lacked == kLimitSharedMemory ||
                      lacked == kLimitBlocks;
  return is_one ? say::occupancy_unnamed_where_none(NameOfLimit(lacked), InWords(*first)) : Message();
}

/// If what is wrong is that limits are missing, where several resources allow as few blocks; else nothing.
Message OneOfSeveralLimits(const std::vector<std::pair<Question, ::Occupancy>>& given) {
  const std::pair<Question, ::Occupancy>* first = nullptr;
  for (const auto& each : given) {
    const ::Occupancy right = RightAnswer(each.first);
    if (Explains(each.second, right) && right.limits == each.second.limits) continue;
    const bool lacks_some = each.second.limits != 0 && (each.second.limits & ~right.limits) == 0;
    if (!Explains(each.second, right) || !lacks_some) return {};
    if (first == nullptr) first = &each;
  }
  if (first == nullptr) return {};
  const ::Occupancy right = RightAnswer(first->first);
  return say::occupancy_names_one_of_several(InWords(first->first), InWords(first->second), InWords(right));
}

/// Whether every occupancy is 0 or 1: 1 only where the blocks of that answer fill the SM.
bool DividesInts(const std::vector<std::pair<Question, ::Occupancy>>& given) {
  bool has_one = false, has_part = false;
  for (const auto& [question, answer] : given) {
    const int warps = answer.blocks * (RoundUp(question.use.threads_per_block, kWarp) / kWarp);
    const bool is_full = warps * kWarp >= LimitsOf(question).max_threads;
    if (!SameOccupancy(answer.occupancy, 0) && !SameOccupancy(answer.occupancy, 1)) return false;
    if (SameOccupancy(answer.occupancy, 1) && !is_full) return false;
    has_one = has_one || SameOccupancy(answer.occupancy, 1);
    has_part = has_part || (answer.blocks > 0 && !is_full);
  }
  return has_one && has_part;
}

/// Of an answer of which only the occupancy is wrong. Nothing of other answers.
Message AdviceOfOccupancy(const Question& q, const ::Occupancy& answer) {
  const ::Occupancy right = RightAnswer(q);
  if (right.blocks == 0 || answer.blocks != right.blocks || answer.limits != right.limits) return {};
  return say::occupancy_alone_is_wrong(
      InWords(q), say::Decimal(100 * answer.occupancy, 1), say::Decimal(100 * right.occupancy, 1),
      say::Count(right.blocks, "block"), say::Count(RoundUp(q.use.threads_per_block, kWarp) / kWarp, "warp"));
}

/// The right answer's limit is this one.
step_search::Trait<Question> LimitedBy(int limit, const Message& words) {
  return {words, [limit](const Question& q) { return (RightAnswer(q).limits & limit) != 0; }};
}

std::vector<step_search::Trait<Question>> TraitsOfQuestions() {
  return {{say::of_unlaunchable_blocks(), [](const Question& q) { return RightAnswer(q).blocks == 0; }},
          {say::of_partial_warps(), [](const Question& q) { return q.use.threads_per_block % kWarp != 0; }},
          {say::of_warps_not_in_fours(),
           [](const Question& q) { return RoundUp(q.use.threads_per_block, kWarp) / kWarp % 4 != 0; }},
          {say::of_blocks_without_shared(), [](const Question& q) { return q.use.shared_bytes == 0; }},
          {say::of_blocks_with_shared(), [](const Question& q) { return q.use.shared_bytes > 0; }},
          {say::on_cards_without_reserve(),
           [](const Question& q) { return q.card.reserved_shared_bytes_per_block == 0; }},
          {say::on_card_with_portions(), [](const Question& q) { return q.portions.has_value(); }},
          {say::on_cards_with_fewer_slots(2048),
           [](const Question& q) { return q.card.max_threads_per_multiprocessor < 2048; }},
          {say::where_two_limits(),
           [](const Question& q) { return std::popcount(static_cast<unsigned>(RightAnswer(q).limits)) > 1; }},
          LimitedBy(kLimitThreads, say::where_threads_limit()),
          LimitedBy(kLimitRegisters, say::where_registers_limit()),
          LimitedBy(kLimitSharedMemory, say::where_shared_limits()),
          LimitedBy(kLimitBlocks, say::where_blocks_limit())};
}

}  // namespace

SmLimits LimitsOf(const Question& q) {
  return warplings::LimitsOf<SmLimits>(q.card, q.portions);
}

bool SameOccupancy(double a, double b) {
  return std::fabs(a - b) <= 1e-6;
}

::Occupancy RightAnswer(const Question& q) {
  if (q.portions) return ArithmeticBy(q, Arithmetic().Right());
  const Residency residency = ResidencyOn(q.card, ShapeOf(q.use));
  return {static_cast<int>(residency.blocks), warplings::Occupancy(q.card, ShapeOf(q.use)),
          static_cast<int>(residency.limits)};
}

const step_search::Calculation<Question, ::Occupancy>& Arithmetic() {
  static const step_search::Calculation<Question, ::Occupancy> calculation = {kSteps, ArithmeticBy};
  return calculation;
}

int BlocksBy(const Question& q, const Versions& versions) {
  return std::ranges::min(AllowedBy(LimitsOf(q), q.use, versions)).first;
}

double OccupancyByAverage(const Question& q) {
  const SmLimits sm = LimitsOf(q);
  double threads = sm.max_threads;
  if (q.use.shared_bytes > 0) {
    threads = std::min(threads, 1.0 * sm.shared_bytes * q.use.threads_per_block / q.use.shared_bytes);
  }
  threads = std::min(threads, 1.0 * sm.registers / q.use.registers);
  return threads / sm.max_threads;
}

std::vector<Fact> FactsOf(const All& all) {
  const Versions right = Arithmetic().Right();
  const auto wrong = std::ranges::find_if(all, [](const auto& each) {
    return each.answer && !Explains(*each.answer, RightAnswer(each.question));
  });
  if (wrong == all.end()) return FactsOfLimits(all, right);
  if (EachAnswer(all, [](const Question& q, const ::Occupancy& a) {
        return SameOccupancy(a.occupancy, OccupancyByAverage(q));
      })) {
    return {{"by_average", Evidence(*wrong)}};
  }
  const auto values = step_search::Explain(Arithmetic(), Given(all), Explains);
  const bool limits_follow = values && EachAnswer(all, [&](const Question& q, const ::Occupancy& a) {
                               return a.limits == ArithmeticBy(q, values->sets.front()).limits;
                             });
  std::vector<Fact> found = step_search::Name(
      values, limits_follow ? say::occupancy_answers() : say::occupancy_blocks_and_occupancies(),
      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  // What the limits should be is known only where blocks are.
  if (!values || values->explained < values->asked || !AgreeOnLimits(all, values->sets)) return found;
  for (const Fact& each : FactsOfLimits(all, values->sets.front())) {
    if (std::ranges::count(found, each.id, &Fact::id) == 0) found.push_back(each);
  }
  return found;
}

Message Advise(const All& all) {
  const auto same = [](const ::Occupancy& a, const ::Occupancy& b) {
    return Explains(a, b) && a.limits == b.limits;
  };
  if (const Message lacked = LimitLackedWhereNoneFits(Given(all)); !lacked.empty()) return lacked;
  if (const Message named = OneOfSeveralLimits(Given(all)); !named.empty()) return named;
  if (DividesInts(Given(all))) return say::occupancy_of_ints();
  const Message shared =
      step_search::WhatWrongOnesShare(TraitsOfQuestions(), Given(all), RightAnswer, same,
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  const auto given = Given(all);
  const auto counts_wrong = [](const auto& each) {
    return each.second.blocks != RightAnswer(each.first).blocks;
  };
  for (const auto& [question, answer] : given) {
    const ::Occupancy right = RightAnswer(question);
    if (!same(answer, right)) {
      const Message of_limits = AdviceOfLimits(question, answer);
      // What is not named may be a resource whose number is wrong, which other answers show better.
      const auto shows_more = std::ranges::find_if(given, counts_wrong);
      if (say::occupancy_names_too_little.Made(of_limits) && shows_more != given.end()) {
        return say::occupancy_blocks_of_another(
            InWords(shows_more->first), InWords(shows_more->second),
            say::answer_with_resources(InWords(RightAnswer(shows_more->first)),
                                       EachResource(shows_more->first)));
      }
      if (!of_limits.empty()) return of_limits;
      const Message of_occupancy = AdviceOfOccupancy(question, answer);
      if (!of_occupancy.empty()) return of_occupancy;
      return step_search::BesideTheRightOne(
          InWords(question), InWords(answer),
          say::answer_with_resources(InWords(right), EachResource(question)));
    }
  }
  return {};
}

Message EachResource(const Question& q) {
  const ByResource by = AllowedBy(LimitsOf(q), q.use, Arithmetic().Right());
  const auto allowed = [&](std::size_t resource) { return AllowedInWords(by[resource].first); };
  return say::occupancy_resources(say::Count(RoundUp(q.use.threads_per_block, kWarp) / kWarp, "warp"),
                                  allowed(0), allowed(1), allowed(2), allowed(3));
}

Message InWords(const Question& q) {
  return say::occupancy_question(CardInWords(q.card, q.portions),
                                 say::Count(q.use.threads_per_block, "thread"),
                                 say::Count(q.use.registers, "register"), q.use.shared_bytes);
}

Message InWords(const ::Occupancy& answer) {
  Message first, others;
  for (const int bit : {kLimitThreads, kLimitRegisters, kLimitSharedMemory, kLimitBlocks}) {
    if ((answer.limits & bit) == 0) continue;
    const Message name = NameOfLimit(bit);
    if (first.empty()) {
      first = name;
    } else {
      others = others.empty() ? name : say::limit_and_limit(others, name);
    }
  }
  if (first.empty()) first = say::limited_by_nothing();
  const say::Count blocks(answer.blocks, "block");
  const say::Decimal percent(100 * answer.occupancy, 1);
  return others.empty() ? say::occupancy_answer(blocks, percent, first)
                        : say::occupancy_answer_of_two(blocks, percent, first, others);
}

}  // namespace warplings::occupancy_exercise
