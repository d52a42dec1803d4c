// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/occupancy_answers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <cmath>
#include <cstdio>

#include "grader/device/occupancy.h"
#include "tests/chapters/04_occupancy/sm_limits.h"

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

/// What a block takes of the warps: in warps, or, where whole warps are left out, in parts of one.
double WarpsOf(const KernelUse& use, bool whole) {
  return whole ? RoundUp(use.threads_per_block, kWarp) / kWarp : use.threads_per_block / double{kWarp};
}

int ByThreads(const SmLimits& sm, const KernelUse& use, unsigned omissions) {
  if ((omissions & kBlockSize) == 0 && use.threads_per_block > sm.max_threads_per_block) return 0;
  return static_cast<int>(sm.max_threads / kWarp / WarpsOf(use, (omissions & kWholeWarps) == 0));
}

int ByRegisters(const SmLimits& sm, const KernelUse& use, unsigned omissions) {
  const int unit = (omissions & kRounding) != 0 ? 1 : sm.register_unit;
  const int per_warp = RoundUp(use.registers * kWarp, unit);
  const int warps =
      (omissions & kPartitions) != 0 ? sm.registers / per_warp : 4 * (sm.registers / 4 / per_warp);
  return static_cast<int>(warps / WarpsOf(use, (omissions & kWholeWarps) == 0));
}

int BySharedMemory(const SmLimits& sm, const KernelUse& use, unsigned omissions) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  if ((omissions & kOwnReserve) != 0 && use.shared_bytes == 0) return INT_MAX;
  const int reserved = (omissions & kReserved) != 0 ? 0 : sm.reserved_shared_bytes;
  const int per_block = RoundUp(use.shared_bytes + reserved, sm.shared_unit);
  return per_block == 0 ? INT_MAX : sm.shared_bytes / per_block;
}

bool Explains(const ::Occupancy& answer, const ::Occupancy& model) {
  return answer.blocks == model.blocks && SameOccupancy(answer.occupancy, model.occupancy);
}

template <class Predicate>
bool EachAnswer(const All& all, const Predicate& predicate) {
  return std::ranges::all_of(
      all, [&](const auto& each) { return !each.answer || predicate(each.question, *each.answer); });
}

const char* IdOf(unsigned omission) {
  switch (omission) {
    case kReserved: return "reserved_forgotten";
    case kRounding: return "registers_not_rounded";
    case kPartitions: return "partitions_forgotten";
    case kWholeWarps: return "threads_not_warps";
    case kOwnReserve: return "nothing_asked_nothing_taken";
    case kBlockSize: return "block_size_not_limited";
    default: return "block_slots_forgotten";
  }
}

/// The one smallest set of omissions that explains every answer; 0 where there is none or several.
unsigned SmallestExplanation(const All& all) {
  unsigned best = 0;
  bool several = false;
  for (unsigned set = 1; set < kOmissions; ++set) {
    if (best != 0 && std::popcount(set) > std::popcount(best)) continue;
    if (!EachAnswer(all, [&](const Question& q, const ::Occupancy& a) {
          return Explains(a, ArithmeticOf(q, set));
        })) {
      continue;
    }
    several = best != 0 && std::popcount(set) == std::popcount(best);
    best = set;
  }
  return several ? 0 : best;
}

std::string Evidence(const Asked<Question, ::Occupancy>& wrong) {
  return InWords(wrong.question) + ": " + InWords(*wrong.answer) + "; right is " +
         InWords(RightAnswer(wrong.question));
}

std::vector<Recognised> RecogniseLimits(const All& all) {
  const auto first = std::ranges::find_if(all, [](const auto& each) {
    return each.answer && each.answer->limits != RightAnswer(each.question).limits;
  });
  const bool one_of_several = EachAnswer(all, [](const Question& q, const ::Occupancy& a) {
    const auto named = static_cast<unsigned>(a.limits), right = static_cast<unsigned>(RightAnswer(q).limits);
    return std::popcount(named) == 1 && (named & ~right) == 0;
  });
  if (first == all.end() || !one_of_several) return {};
  return {{"one_limit_named", Evidence(*first)}};
}

}  // namespace

bool SameOccupancy(double a, double b) {
  return std::fabs(a - b) <= 1e-6;
}

::Occupancy RightAnswer(const Question& q) {
  const Residency residency = ResidencyOn(q.card, ShapeOf(q.use));
  return {static_cast<int>(residency.blocks), warplings::Occupancy(q.card, ShapeOf(q.use)),
          static_cast<int>(residency.limits)};
}

::Occupancy ArithmeticOf(const Question& q, unsigned omissions) {
  const SmLimits sm = LimitsOf<SmLimits>(q.card);
  const int slots = (omissions & kBlockSlots) != 0 ? INT_MAX : sm.max_blocks;
  const std::array<std::pair<int, int>, 4> by = {{{ByThreads(sm, q.use, omissions), kLimitThreads},
                                                  {ByRegisters(sm, q.use, omissions), kLimitRegisters},
                                                  {BySharedMemory(sm, q.use, omissions), kLimitSharedMemory},
                                                  {slots, kLimitBlocks}}};
  ::Occupancy answer = {std::ranges::min(by).first, 0, 0};
  for (const auto& [blocks, bit] : by) answer.limits |= blocks == answer.blocks ? bit : 0;
  answer.occupancy =
      answer.blocks * WarpsOf(q.use, (omissions & kWholeWarps) == 0) / (sm.max_threads / double{kWarp});
  return answer;
}

double OccupancyByAverage(const Question& q) {
  const SmLimits sm = LimitsOf<SmLimits>(q.card);
  double threads = sm.max_threads;
  if (q.use.shared_bytes > 0) {
    threads = std::min(threads, 1.0 * sm.shared_bytes * q.use.threads_per_block / q.use.shared_bytes);
  }
  threads = std::min(threads, 1.0 * sm.registers / q.use.registers);
  return threads / sm.max_threads;
}

std::vector<Recognised> Recognise(const All& all) {
  const auto wrong = std::ranges::find_if(all, [](const auto& each) {
    return each.answer && !Explains(*each.answer, RightAnswer(each.question));
  });
  if (wrong == all.end()) return RecogniseLimits(all);
  if (EachAnswer(all, [](const Question& q, const ::Occupancy& a) {
        return SameOccupancy(a.occupancy, OccupancyByAverage(q));
      })) {
    return {{"by_average", Evidence(*wrong)}};
  }
  const unsigned set = SmallestExplanation(all);
  std::vector<Recognised> found;
  for (unsigned omission = 1; omission < kOmissions; omission *= 2) {
    if ((set & omission) != 0) found.push_back({IdOf(omission), Evidence(*wrong)});
  }
  return found;
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
