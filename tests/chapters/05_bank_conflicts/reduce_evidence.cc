// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/05_bank_conflicts/reduce_evidence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "chapters/05_bank_conflicts/reduce_sequential.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "reference/matmul.h"

namespace warplings::bank_conflicts {
namespace {

using All = std::span<const Reduction>;

std::string In(const Reduction& r, const std::string& what) {
  return r.test + " (n = " + std::to_string(r.x.size()) + "): " + what;
}

bool HasShared(const Reduction& r, FindingKind kind) {
  return HasFinding(r.result, kind, MemorySpace::kShared);
}

std::size_t Segments(const Reduction& r) {
  return (r.x.size() + SEGMENT - 1) / SEGMENT;
}

/// Of n >= SEGMENT with a rest: every sum is there and right except the last. Of n < SEGMENT: nothing was
/// launched.
bool LacksLastSegment(const Reduction& r) {
  if (r.x.size() < SEGMENT) return r.result.launches.empty();
  return Completed(r.result) && r.sums.size() == Segments(r) && r.result.wrong_count == 1 &&
         IsPoison(r.sums.back());
}

/// Whether the sum of segment b is that of the elements that `is_in` lets pass, by their place in the
/// segment.
template <class IsIn>
bool IsSumOf(const Reduction& r, std::size_t b, const IsIn& is_in) {
  std::vector<float> kept;
  for (std::size_t i = b * SEGMENT; i < std::min(r.x.size(), (b + 1) * SEGMENT); ++i) {
    if (is_in(i % SEGMENT)) kept.push_back(r.x[i]);
  }
  const reference::Bounded sum =
      reference::Matmul(kept, std::vector<float>(kept.size(), 1.0f), 1, kept.size(), 1);
  return !IsWrong(r.sums[b], sum.value[0], sum.bound[0]);
}

template <class IsIn>
bool EverySumIsOf(All all, const IsIn& is_in) {
  bool any_wrong = false;
  for (const Reduction& r : all) {
    if (!Completed(r.result) || r.sums.empty()) return false;
    for (std::size_t b = 0; b < r.sums.size(); ++b) {
      if (!IsSumOf(r, b, is_in)) return false;
    }
    any_wrong |= r.result.wrong_count > 0;
  }
  return any_wrong;
}

/// Which elements are in the sums where half of each segment is missing, though all were loaded; or "".
std::string HalfOfEachSegment(All all) {
  const auto is_loaded = [](const Reduction& r) {
    return TrafficOf(r.result, "X").load_bytes >= r.x.size() * sizeof(float);
  };
  if (!std::ranges::all_of(all, is_loaded)) return "";
  if (EverySumIsOf(all, [](std::size_t place) { return place % 2 == 0; })) return "0, 2, 4, ...";
  if (EverySumIsOf(all, [](std::size_t place) { return place < SEGMENT / 2; }))
    return "0 to " + std::to_string(SEGMENT / 2 - 1);
  return "";
}

bool AllRight(All all) {
  return !all.empty() && std::ranges::all_of(all, [](const Reduction& r) {
    return Completed(r.result) && !HasError(r.result) && r.result.wrong_count == 0 && !r.sums.empty();
  });
}

std::vector<Recognised> One(const char* id, const std::string& evidence) {
  return {{id, evidence}};
}

/// Seen in `r`, whose finding for which `is_it` is true gave it away.
std::vector<Recognised> One(const char* id, const Reduction& r, const std::string& what,
                            const std::function<bool(const Finding&)>& is_it) {
  std::vector<Recognised> found = One(id, In(r, what));
  ShowFinding(found, id, r.result, is_it);
  return found;
}

/// Thread-accesses outside shared arrays of one kind.
std::uint64_t OutsideShared(const Reduction& r, bool reads) {
  std::uint64_t count = 0;
  for (const Finding& finding : r.result.findings) {
    if (finding.kind != FindingKind::kOutOfBounds || finding.space != MemorySpace::kShared) continue;
    if ((finding.access == Access::kRead) == reads) count += finding.count;
  }
  return count;
}

/// With stride s the s upper threads have no partner: 128 + 64 + ... + 1 reads behind the array for each
/// segment, and no store there.
bool EachThreadAddsInEachStep(const Reduction& r) {
  return OutsideShared(r, false) == 0 && OutsideShared(r, true) == (SEGMENT - 1) * Segments(r);
}

/// A read for each thread of the last block that has no element.
bool LoadsWithoutCheck(const Reduction& r) {
  return CountOutside(r.result, "X", Access::kRead) == Segments(r) * SEGMENT - r.x.size();
}

bool HasEmptyPlaces(const Reduction& r) {
  return HasShared(r, FindingKind::kUninitialised);
}

std::vector<Recognised> FromFindings(All all) {
  if (const auto* r = FirstWith(all, [](const Reduction& each) {
        return HasFinding(each.result, FindingKind::kDivergentBarrier);
      })) {
    return One("barrier_inside_if", *r, "only part of the threads arrives at a barrier",
               [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; });
  }
  if (const auto* r =
          FirstWith(all, [](const Reduction& each) { return HasShared(each, FindingKind::kOutOfBounds); })) {
    // Other places behind an array are another index, of which its line says more.
    if (!std::ranges::all_of(all, EachThreadAddsInEachStep)) return {};
    return One("no_thread_rests", *r,
               std::to_string(OutsideShared(*r, true)) + " reads outside the shared array",
               InShared(FindingKind::kOutOfBounds));
  }
  if (const auto* r =
          FirstWith(all, [](const Reduction& each) { return ReadsTooEarlyOrStoresOver(each.result); })) {
    return One("barrier_missing", *r, "a race in shared memory", NeedsABarrier);
  }
  // In a whole segment each thread has an element: what is empty there is something else.
  const auto is_full = [](const Reduction& each) { return each.x.size() % SEGMENT == 0; };
  if (const auto* r = FirstWith(all, HasEmptyPlaces)) {
    const bool where_full = std::ranges::any_of(
        all, [&](const Reduction& each) { return is_full(each) && HasEmptyPlaces(each); });
    if (where_full) return {};
    return One("place_left_empty", *r, "shared elements that nobody wrote",
               InShared(FindingKind::kUninitialised));
  }
  if (const auto* r = FirstWith(
          all, [](const Reduction& each) { return CountOutside(each.result, "X", Access::kRead) > 0; })) {
    if (!std::ranges::all_of(all, LoadsWithoutCheck)) return {};
    return One("load_unguarded", *r,
               std::to_string(CountOutside(r->result, "X", Access::kRead)) + " reads outside X",
               Outside("X", Access::kRead));
  }
  return {};
}

std::vector<Recognised> FromValues(All all) {
  std::vector<const Reduction*> partial;
  for (const Reduction& r : all) {
    if (r.x.size() % SEGMENT != 0) partial.push_back(&r);
  }
  if (!partial.empty() &&
      std::ranges::all_of(partial, [](const Reduction* r) { return LacksLastSegment(*r); })) {
    return One("last_segment_missing", In(*partial.back(), "the last sum was never written"));
  }
  if (EverySumIsOf(all, [](std::size_t place) { return place == 0 || std::has_single_bit(place); })) {
    return One("stride_still_grows", "every sum is that of elements 0, 1, 2, 4, 8, ... of its segment");
  }
  if (const std::string half = HalfOfEachSegment(all); !half.empty())
    return One("step_missing", "every sum is that of elements " + half + " of its segment");
  return {};
}

std::uint64_t LongestWarp(const TestResult& result) {
  std::uint64_t longest = 0;
  for (const LaunchRecord& launch : result.launches) longest = std::max(longest, launch.longest_warp);
  return longest;
}

bool ConflictsAreOfLoads(const Counts& counts) {
  return counts.shared_load_conflicts >= counts.shared_store_conflicts;
}

/// "480 bank conflicts in 240 loads of line 14".
std::string WorstConflicts(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  const bool of_loads = ConflictsAreOfLoads(counts);
  const auto conflicts = of_loads ? &Counts::shared_load_conflicts : &Counts::shared_store_conflicts;
  const auto requests = of_loads ? &Counts::shared_load_requests : &Counts::shared_store_requests;
  const std::string worst = LineOfConflicts(result);
  Counts of_line = counts;
  for (const LaunchRecord& launch : result.launches) {
    for (const LineCounts& line : launch.lines) {
      if (worst == "line " + std::to_string(line.where.line)) of_line = line.counts;
    }
  }
  return std::to_string(of_line.*conflicts) + " bank conflicts in " + std::to_string(of_line.*requests) +
         (of_loads ? " shared loads of warps" : " shared stores of warps") +
         (worst.empty() ? "" : " in " + worst);
}

std::vector<Recognised> FromCounts(All all) {
  if (!AllRight(all)) return {};
  const auto conflicts = [](const Reduction& r) {
    const Counts counts = TotalCounts(r.result);
    return counts.shared_load_conflicts + counts.shared_store_conflicts;
  };
  if (const auto* r = FirstWith(all, [&](const Reduction& each) { return conflicts(each) > 0; })) {
    return One("interleaved_elements", In(*r, WorstConflicts(r->result)));
  }
  const auto is_whole = [](const Reduction& r) { return r.x.size() % SEGMENT == 0; };
  const auto parted = [](const Reduction& r) { return TotalCounts(r.result).divergent_branches; };
  if (const auto* r = FirstWith(all, [&](const Reduction& each) {
        return is_whole(each) && parted(each) > kBranchesPerSegment * Segments(each);
      })) {
    const std::string line = LineWithMost(r->result, &Counts::divergent_branches);
    return One("interleaved_threads", In(*r, std::to_string(parted(*r)) + " branches diverge" +
                                                 (line.empty() ? "" : ", nowhere more than in " + line)));
  }
  if (const auto* r = FirstWith(all, [&](const Reduction& each) {
        const Counts counts = TotalCounts(each.result);
        // A warp that serves many segments is long, too, and adds each up in a few instructions.
        return is_whole(each) && counts.shared_load_requests == 0 && LongestWarp(each.result) > SEGMENT &&
               counts.flop_requests > SEGMENT / 2 &&
               counts.global_load_sectors > SectorsAllowed(each.x.size());
      })) {
    return One("one_thread_a_segment",
               In(*r, std::to_string(TotalCounts(r->result).global_load_sectors) + " sectors read"));
  }
  return {};
}

}  // namespace

std::uint64_t SectorsAllowed(std::size_t n) {
  return (n / 8 * 3 + 1) / 2 + 2 * ((n + SEGMENT - 1) / SEGMENT);
}

std::string LineOfConflicts(const TestResult& result) {
  return LineWithMost(result, ConflictsAreOfLoads(TotalCounts(result)) ? &Counts::shared_load_conflicts
                                                                       : &Counts::shared_store_conflicts);
}

std::string NearlyRight(All all) {
  // A bfloat16 has 8 binary digits, and loses a part in 2^9 of what it holds, here in up to 9 roundings. All
  // of these types hold whole numbers up to 256.
  constexpr double kLost = 1.0 / 128, kWhole = 256;
  double farthest = 0, beside = 0;
  for (const Reduction& r : all) {
    if (!Completed(r.result) || HasError(r.result) || r.sums.size() != Segments(r)) return "";
    for (std::size_t b = 0; b < r.sums.size(); ++b) {
      double sum = 0, sizes = 0;
      bool are_whole = true;
      for (std::size_t i = b * SEGMENT; i < std::min(r.x.size(), (b + 1) * SEGMENT); ++i) {
        sum += static_cast<double>(r.x[i]);
        sizes += std::fabs(static_cast<double>(r.x[i]));
        are_whole = are_whole && std::trunc(r.x[i]) == r.x[i];
      }
      const double off = std::fabs(static_cast<double>(r.sums[b]) - sum);
      if (!(off <= kLost * sizes) || (are_whole && sizes <= kWhole && off > 0)) return "";
      if (sizes > 0 && off * beside >= farthest * sizes) farthest = off, beside = sizes;
    }
  }
  if (farthest == 0) return "";
  char text[320];
  std::snprintf(
      text, sizeof text,
      "The sums are nearly right: the farthest is off by %.1e, where its elements without their signs "
      "add up to %.3g. That is what one sees where digits are lost on the way. Of which types are "
      "the elements where they are kept, and the sums of some of them?",
      farthest, beside);
  return text;
}

std::vector<Recognised> RecogniseReduction(std::span<const Reduction> all) {
  std::vector<Recognised> found = FromFindings(all);
  if (found.empty()) found = FromValues(all);
  if (found.empty()) found = FromCounts(all);
  return found;
}

}  // namespace warplings::bank_conflicts
