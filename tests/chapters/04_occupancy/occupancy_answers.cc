// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/occupancy_answers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdio>

#include "grader/device/occupancy.h"
#include "grader/suite/evidence.h"

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
  kByBlocksThreads,
  kFileLeftOut,
  kRoundedByBlock,
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
  kReserveTakenOnce
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
  kOfReachable
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
    {{"threads_not_warps", "threads counted where a block takes whole warps"},
     {"another_step", "a block's last, partial warp left out"},
     {"another_step", "one warp more than full ones, also where the last one is full"}},
    {{"block_size_not_limited", "no limit on a block's threads"},
     {"another_step", "blocks of max_threads_per_block threads refused, too"},
     {"threads_not_warps", "the thread slots divided by threads, not by whole warps"},
     {"another_step", "the thread slots left out"}},
    {{"registers_not_rounded", "a warp's registers not rounded up"},
     {"another_step", "a warp's registers rounded down"},
     {"another_step", "a thread's registers rounded up to the unit, and not a warp's"},
     {"another_step", "one unit more for a warp's registers, also where they fill whole units"},
     {"another_step",
      "a warp's registers rounded up to 256, or a thread's to 8, whatever register_unit says"}},
    {{"partitions_forgotten", "one file of registers in place of four partitions"},
     {"another_step", "whole blocks laid into each partition, and not warps"},
     {"another_step", "one of the four partitions counted"},
     {"registers_not_rounded", "all registers divided by those of a block's threads"},
     {"another_step", "the registers left out"},
     {"another_step", "registers rounded up once for a block, and not for each warp"},
     {"another_step",
      "a block's warps dealt out to the partitions evenly, from the first one anew for each block, which is "
      "as if they were rounded up to a multiple of four"},
     {"another_step", "a block's warps rounded up to an even number for the registers"}},
    {{"reserved_forgotten", "the reserved bytes left out"},
     {"nothing_asked_nothing_taken", "no reserved bytes for a block that asks for none itself"},
     {"another_step", "a block's shared memory not rounded up, or to less than the unit"},
     {"another_step", "a block's shared memory rounded down"},
     {"another_step", "a kilobyte of reserved bytes on each card"},
     {"another_step", "one unit more for a block's shared memory, also where it fills whole units"},
     {"another_step", "the reserved bytes added twice"},
     {"another_step", "the reserved bytes added after rounding up, and not before"},
     {"another_step", "a block's shared memory rounded up to 128, whatever shared_unit says"},
     {"another_step", "a block's shared memory rounded up to 256, whatever shared_unit says"}},
    {{"another_step", "no limit on what one block may ask for"},
     {"another_step", "the reserved bytes counted against what one block may ask for"},
     {"another_step", "blocks refused that ask for just what one block may have"},
     {"another_step", "0 blocks where no shared memory is taken"},
     {"another_step", "what one block may ask for divided, and not what the SM has"},
     {"another_step", "the shared memory left out"},
     {"another_step",
      "what the SM takes away for a block, reserved and rounded up, compared with what one block may ask "
      "for"},
     {"reserved_forgotten", "the reserved bytes taken once from the SM, and not by each block"}},
    {{"block_slots_forgotten", "no limit on the number of blocks"}},
    {{"another_step", "occupancy as a quotient of two ints, which is 0 or 1"},
     {"threads_not_warps", "resident threads over thread slots for the occupancy"},
     {"another_step", "percent, where the occupancy is 0 to 1"},
     {"another_step", "warps over thread slots for the occupancy"},
     {"another_step", "blocks over block slots for the occupancy"},
     {"another_step", "64 for the most warps of each SM"},
     {"another_step", "a block's last, partial warp left out of the occupancy"},
     {"another_step",
      "occupancy of the warps that block slots allow, where those are fewer than the SM has"}},
    {{"another_step", "no limit named where no block is resident"},
     {"another_step", "threads never named as a limit"},
     {"another_step", "registers never named as a limit"},
     {"another_step", "shared memory never named as a limit"},
     {"another_step", "block slots never named as a limit"},
     {"another_step", "limits numbered 1, 2, 3, 4, where each has a bit"},
     {"another_step", "no limit named for a block that is refused for its threads or its shared memory"},
     {"another_step", "no limit named where two allow the same number of blocks"},
     {"another_step", "one limit named for a block that is refused, and no other asked"},
     {"another_step",
      "a limit that was the least so far kept where a later one, in the order threads, registers, shared "
      "memory, blocks, allows still fewer"},
     {"another_step",
      "a limit that was the least so far kept where a later one, in the order blocks, threads, registers, "
      "shared memory, allows still fewer"},
     {"another_step", "shared memory not named as a limit of blocks that ask for none themselves"}}};

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

std::string Evidence(const Asked<Question, ::Occupancy>& wrong) {
  return InWords(wrong.question) + ": " + InWords(*wrong.answer) + "; right is " +
         InWords(RightAnswer(wrong.question));
}

/// What is wrong with the limits where blocks and occupancy come out in these versions.
std::vector<Recognised> RecogniseLimits(const All& all, const Versions& values) {
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
      "answers' limits", AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

/// The right answer's limit is this one.
step_search::Trait<Question> LimitedBy(int limit, const std::string& words) {
  return {words, [limit](const Question& q) { return (RightAnswer(q).limits & limit) != 0; }};
}

std::vector<step_search::Trait<Question>> TraitsOfQuestions() {
  return {
      {"of blocks that cannot be launched", [](const Question& q) { return RightAnswer(q).blocks == 0; }},
      {"of blocks whose last warp is not full",
       [](const Question& q) { return q.use.threads_per_block % kWarp != 0; }},
      {"of blocks whose warps are no multiple of four",
       [](const Question& q) { return RoundUp(q.use.threads_per_block, kWarp) / kWarp % 4 != 0; }},
      {"of blocks that ask for no shared memory", [](const Question& q) { return q.use.shared_bytes == 0; }},
      {"of blocks that ask for shared memory", [](const Question& q) { return q.use.shared_bytes > 0; }},
      {"on cards that reserve no shared memory",
       [](const Question& q) { return q.card.reserved_shared_bytes_per_block == 0; }},
      {"on a card with portions of its own", [](const Question& q) { return q.portions.has_value(); }},
      {"on cards with less than 2048 thread slots",
       [](const Question& q) { return q.card.max_threads_per_multiprocessor < 2048; }},
      {"where two limits are reached together",
       [](const Question& q) { return std::popcount(static_cast<unsigned>(RightAnswer(q).limits)) > 1; }},
      LimitedBy(kLimitThreads, "where the thread slots are a limit"),
      LimitedBy(kLimitRegisters, "where registers are a limit"),
      LimitedBy(kLimitSharedMemory, "where shared memory is a limit"),
      LimitedBy(kLimitBlocks, "where the block slots are a limit")};
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

std::vector<Recognised> Recognise(const All& all) {
  const Versions right = Arithmetic().Right();
  const auto wrong = std::ranges::find_if(all, [](const auto& each) {
    return each.answer && !Explains(*each.answer, RightAnswer(each.question));
  });
  if (wrong == all.end()) return RecogniseLimits(all, right);
  if (EachAnswer(all, [](const Question& q, const ::Occupancy& a) {
        return SameOccupancy(a.occupancy, OccupancyByAverage(q));
      })) {
    return {{"by_average", Evidence(*wrong)}};
  }
  const auto values = step_search::Explain(Arithmetic(), Given(all), Explains);
  const bool limits_follow = values && EachAnswer(all, [&](const Question& q, const ::Occupancy& a) {
                               return a.limits == ArithmeticBy(q, values->sets.front()).limits;
                             });
  std::vector<Recognised> found =
      step_search::Name(values, limits_follow ? "answers" : "answers' blocks and occupancies",
                        AskingsOf(all, [](const Question& q) { return InWords(q); }));
  // What the limits should be is known only where blocks are.
  if (!values || values->sets.size() > 1 || values->explained < values->asked) return found;
  for (const Recognised& each : RecogniseLimits(all, values->sets.front())) {
    AddRecognised(found, each.id, each.evidence);
  }
  return found;
}

std::string Advise(const All& all) {
  const auto same = [](const ::Occupancy& a, const ::Occupancy& b) {
    return Explains(a, b) && a.limits == b.limits;
  };
  const std::string shared =
      step_search::WhatWrongOnesShare(TraitsOfQuestions(), Given(all), RightAnswer, same,
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  for (const auto& [question, answer] : Given(all)) {
    const ::Occupancy right = RightAnswer(question);
    if (!same(answer, right)) {
      return step_search::BesideTheRightOne(InWords(question), InWords(answer),
                                            InWords(right) + " (" + EachResource(question) + ")");
    }
  }
  return "";
}

std::string EachResource(const Question& q) {
  const auto sm = LimitsOf(q);
  std::string words = std::to_string(RoundUp(q.use.threads_per_block, kWarp) / kWarp) + " warps";
  const std::array<const char*, 4> names = {"threads allow ", "registers ", "shared memory ", "slots "};
  std::size_t number = 0;
  for (const auto& [allowed, bit] : AllowedBy(sm, q.use, Arithmetic().Right())) {
    const std::string name = names[number++];
    words += (number == 1 ? "; " : ", ") + name + (allowed == INT_MAX ? "no limit" : std::to_string(allowed));
  }
  return words;
}

std::string InWords(const Question& q) {
  return q.card.id + ", " + std::to_string(q.use.threads_per_block) + " threads, " +
         std::to_string(q.use.registers) + " registers, " + std::to_string(q.use.shared_bytes) + " B shared";
}

std::string InWords(const ::Occupancy& answer) {
  char text[64];
  std::snprintf(text, sizeof text, "%d %s, %.1f %%, limited by", answer.blocks,
                answer.blocks == 1 ? "block" : "blocks", 100 * answer.occupancy);
  std::string words = text;
  const std::array<std::pair<int, const char*>, 4> names = {{{kLimitThreads, "threads"},
                                                             {kLimitRegisters, "registers"},
                                                             {kLimitSharedMemory, "shared memory"},
                                                             {kLimitBlocks, "blocks"}}};
  bool first = true;
  for (const auto& [bit, name] : names) {
    if ((answer.limits & bit) == 0) continue;
    words += std::string(first ? " " : " and ") + name;
    first = false;
  }
  return words + (first ? " nothing" : "");
}

}  // namespace warplings::occupancy_exercise
