// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/reduce_evidence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chapters/05_bank_conflicts/reduce_sequential.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "reference/matmul.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/element_groups.h"
#include "tests/suites/common/title_numbers.h"

namespace warplings::bank_conflicts {
namespace {

using All = std::span<const Reduction>;

/// Names the test, and its size unless its title does.
Message In(const Reduction& r, const Message& what) {
  return HasNumber(r.result.title, std::ssize(r.x)) ? say::of_test(r.test, what)
                                                    : say::segments_evidence(r.test, r.x.size(), what);
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

bool IsSum(const std::vector<float>& elements, float sum) {
  const reference::Bounded right =
      reference::Matmul(elements, std::vector<float>(elements.size(), 1.0f), 1, elements.size(), 1);
  return !IsWrong(sum, right.value[0], right.bound[0]);
}

/// Whether the sum of segment b is that of the elements that `is_in` lets pass, by their place in the
/// segment.
template <class IsIn>
bool IsSumOf(const Reduction& r, std::size_t b, const IsIn& is_in) {
  std::vector<float> kept;
  for (std::size_t i = b * SEGMENT; i < std::min(r.x.size(), (b + 1) * SEGMENT); ++i) {
    if (is_in(i % SEGMENT)) kept.push_back(r.x[i]);
  }
  return IsSum(kept, r.sums[b]);
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
Message HalfOfEachSegment(All all) {
  const auto is_loaded = [](const Reduction& r) {
    return TrafficOf(r.result, "X").load_bytes >= r.x.size() * sizeof(float);
  };
  if (!std::ranges::all_of(all, is_loaded)) return "";
  if (EverySumIsOf(all, [](std::size_t place) { return place % 2 == 0; }))
    return say::segments_sums_of_even();
  if (EverySumIsOf(all, [](std::size_t place) { return place < SEGMENT / 2; }))
    return say::segments_sums_of_first_half({0, SEGMENT / 2 - 1});
  return "";
}

bool AllRight(All all) {
  return !all.empty() && std::ranges::all_of(all, [](const Reduction& r) {
    return Completed(r.result) && !HasError(r.result) && r.result.wrong_count == 0 && !r.sums.empty();
  });
}

std::vector<Fact> One(const Message& message) {
  std::vector<Fact> found;
  AddFact(found, message);
  return found;
}

/// Seen in `r`, whose finding for which `is_it` is true shows it.
std::vector<Fact> One(const Reduction& r, const Message& what,
                      const std::function<bool(const Finding&)>& is_it) {
  std::vector<Fact> found = One(In(r, what));
  ShowFinding(found.front(), r.result, is_it);
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

/// Each thread once reads the element a whole segment after its own, and no other outside shared arrays.
bool AddsASegmentFurther(const Reduction& r) {
  if (OutsideShared(r, false) > 0 || OutsideShared(r, true) != SEGMENT * Segments(r)) return false;
  constexpr std::int64_t kBytes = sizeof(float);
  const auto is_other = [](const Finding& each) {
    return InShared(FindingKind::kOutOfBounds)(each) &&
           (each.object_bytes != SEGMENT * kBytes || each.offset_bytes != (each.thread.x + SEGMENT) * kBytes);
  };
  return std::ranges::none_of(r.result.findings, is_other);
}

/// A read for each thread of the last block that has no element.
bool LoadsWithoutCheck(const Reduction& r) {
  return CountOutside(r.result, "X", Access::kRead) == Segments(r) * SEGMENT - r.x.size();
}

bool HasEmptyPlaces(const Reduction& r) {
  return HasShared(r, FindingKind::kUninitialised);
}

/// A barrier at which warps arrive more than once, as one between two steps.
bool HasBarrierBetweenSteps(const LaunchRecord& launch) {
  constexpr std::uint64_t kLanes = 32;
  const std::uint64_t warps = launch.grid.Volume() * ((launch.block.Volume() + kLanes - 1) / kLanes);
  return std::ranges::any_of(launch.lines,
                             [=](const LineCounts& line) { return line.counts.barriers > warps; });
}

/// A barrier at which warps arrive as often as a segment has steps: whatever races does so within a step.
bool HasBarrierInEachStep(const Reduction& r) {
  constexpr std::uint64_t kLanes = 32, kSteps = std::bit_width(static_cast<unsigned>(SEGMENT)) - 1;
  return std::ranges::any_of(r.result.launches, [](const LaunchRecord& launch) {
    const std::uint64_t warps = launch.grid.Volume() * ((launch.block.Volume() + kLanes - 1) / kLanes);
    return std::ranges::any_of(
        launch.lines, [=](const LineCounts& line) { return line.counts.barriers >= warps * kSteps; });
  });
}

/// No race but between the lanes of a warp, for which a barrier of the block is more than is needed. A
/// finding names only the first two threads that race in its line: where no barrier is between any two steps,
/// warps race there, too.
bool HasRacesOfLanesOnly(const Reduction& r) {
  if (std::ranges::none_of(r.result.launches, HasBarrierBetweenSteps)) return false;
  return std::ranges::all_of(r.result.findings, [](const Finding& finding) {
    return !NeedsABarrier(finding) || say::race_in_warp.Made(finding.message) ||
           say::race_in_warp_volatile.Made(finding.message);
  });
}

std::vector<Fact> FromFindings(All all) {
  if (const auto* r = FirstWith(all, [](const Reduction& each) {
        return HasFinding(each.result, FindingKind::kDivergentBarrier);
      })) {
    return One(*r, say::segments_part_at_barrier(),
               [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; });
  }
  if (const auto* r =
          FirstWith(all, [](const Reduction& each) { return HasShared(each, FindingKind::kOutOfBounds); })) {
    if (std::ranges::all_of(all, AddsASegmentFurther))
      return One(*r, say::segments_adds_a_segment_further(SEGMENT), InShared(FindingKind::kOutOfBounds));
    // Other places behind an array are another index, of which its line says more.
    if (!std::ranges::all_of(all, EachThreadAddsInEachStep)) return {};
    return One(*r, say::segments_reads_outside_shared(OutsideShared(*r, true)),
               InShared(FindingKind::kOutOfBounds));
  }
  if (const auto* r =
          FirstWith(all, [](const Reduction& each) { return ReadsTooEarlyOrStoresOver(each.result); })) {
    const bool of_lanes = std::ranges::all_of(all, HasRacesOfLanesOnly);
    // A loop whose barrier comes down to the last step has another fault than lanes in lockstep.
    if (of_lanes && HasBarrierInEachStep(*r)) return {};
    const Message what = of_lanes ? say::race_between_lanes() : say::race_in_shared_memory();
    std::vector<Fact> found = One(*r, what, NeedsABarrier);
    NameRaceOfPasses(found.front(), r->result);
    return found;
  }
  // In a whole segment each thread has an element: what is empty there is something else.
  const auto is_full = [](const Reduction& each) { return each.x.size() % SEGMENT == 0; };
  if (const auto* r = FirstWith(all, HasEmptyPlaces)) {
    const bool where_full = std::ranges::any_of(
        all, [&](const Reduction& each) { return is_full(each) && HasEmptyPlaces(each); });
    if (where_full) return {};
    return One(*r, say::segments_empty_places(), InShared(FindingKind::kUninitialised));
  }
  if (const auto* r = FirstWith(
          all, [](const Reduction& each) { return CountOutside(each.result, "X", Access::kRead) > 0; })) {
    if (!std::ranges::all_of(all, LoadsWithoutCheck)) return {};
    return One(*r, say::segments_reads_outside_x({CountOutside(r->result, "X", Access::kRead), "read"}),
               Outside("X", Access::kRead));
  }
  return {};
}

/// Who stores the sums of segments that do not exist, if the one launch shows it: blocks, or each block.
Message SumsPastTheEnd(const Reduction& r, std::uint64_t stored) {
  const say::Count elements(Segments(r), "element");
  const std::vector<LaunchRecord>& launches = r.result.launches;
  const std::uint64_t blocks = launches.size() == 1 ? launches.front().grid.Volume() : 0;
  if (blocks == stored) return say::segments_of_blocks_past_the_end(elements, blocks, r.x.size());
  if (blocks > 0 && stored % blocks == 0)
    return say::segments_of_a_block_past_the_end(elements, stored / blocks);
  return say::segments_sums_past_the_end(elements, stored);
}

/// Sums of segments that do not exist, beside any other fault.
void FindSumsPastTheEnd(All all, std::vector<Fact>& found) {
  const auto stored = [](const Reduction& r) { return CountOutside(r.result, "sums", Access::kWrite); };
  const auto* r = FirstWith(all, [&](const Reduction& each) { return stored(each) > 0; });
  if (r == nullptr) return;
  Fact& fact = AddFact(found, say::segments_sums_past_the_end.id,
                       In(*r, SumsPastTheEnd(*r, Segments(*r) + stored(*r))));
  ShowFinding(fact, r->result, Outside("sums", Access::kWrite));
}

std::vector<Fact> FromValues(All all) {
  std::vector<const Reduction*> partial;
  for (const Reduction& r : all) {
    if (r.x.size() % SEGMENT != 0) partial.push_back(&r);
  }
  if (!partial.empty() &&
      std::ranges::all_of(partial, [](const Reduction* r) { return LacksLastSegment(*r); })) {
    return One(In(*partial.back(), say::segments_last_sum_missing()));
  }
  if (EverySumIsOf(all, [](std::size_t place) { return place == 0 || std::has_single_bit(place); })) {
    return One(say::segments_sums_of_powers());
  }
  if (const Message half = HalfOfEachSegment(all); !half.empty()) return One(half);
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

/// Of the line that conflicts most, or else of all lines.
Message WorstConflicts(const TestResult& result) {
  const Counts total = TotalCounts(result);
  const LineCounts* worst = LineOfConflicts(result);
  const Counts& counts = worst == nullptr ? total : worst->counts;
  constexpr const char* kConflict = "bank conflict";
  const std::uint64_t all = total.shared_load_conflicts + total.shared_store_conflicts;
  if (ConflictsAreOfLoads(counts)) {
    const say::Count conflicts(counts.shared_load_conflicts, kConflict),
        loads(counts.shared_load_requests, "shared load");
    if (worst == nullptr) return say::segments_load_conflicts(conflicts, loads);
    return counts.shared_load_conflicts == all
               ? say::segments_load_conflicts_here(conflicts, worst->where.line)
               : say::segments_load_conflicts_in(conflicts, worst->where.line, all);
  }
  const say::Count conflicts(counts.shared_store_conflicts, kConflict),
      stores(counts.shared_store_requests, "shared store");
  if (worst == nullptr) return say::segments_store_conflicts(conflicts, stores);
  return counts.shared_store_conflicts == all
             ? say::segments_store_conflicts_here(conflicts, worst->where.line)
             : say::segments_store_conflicts_in(conflicts, worst->where.line, all);
}

std::vector<Fact> FromCounts(All all) {
  if (!AllRight(all)) return {};
  const auto conflicts = [](const Reduction& r) {
    const Counts counts = TotalCounts(r.result);
    return counts.shared_load_conflicts + counts.shared_store_conflicts;
  };
  if (const auto* r = FirstWith(all, [&](const Reduction& each) { return conflicts(each) > 0; })) {
    return One(In(*r, WorstConflicts(r->result)));
  }
  const auto is_whole = [](const Reduction& r) { return r.x.size() % SEGMENT == 0; };
  const auto parted = [](const Reduction& r) { return TotalCounts(r.result).divergent_branches; };
  if (const auto* r = FirstWith(all, [&](const Reduction& each) {
        return is_whole(each) && parted(each) > kBranchesPerSegment * Segments(each);
      })) {
    const LineCounts* line = BusiestLine(r->result, &Counts::divergent_branches);
    return One(In(*r, line == nullptr ? say::segments_branches(parted(*r))
                                      : say::segments_branches_in(parted(*r), line->where.line)));
  }
  if (const auto* r = FirstWith(all, [&](const Reduction& each) {
        const Counts counts = TotalCounts(each.result);
        // A warp that serves many segments is long, too, and adds each up in a few instructions.
        return is_whole(each) && counts.shared_load_requests == 0 && LongestWarp(each.result) > SEGMENT &&
               counts.flop_requests > SEGMENT / 2 &&
               counts.global_load_sectors > SectorsAllowed(each.x.size());
      })) {
    return One(In(*r, say::segments_sectors_read(TotalCounts(r->result).global_load_sectors)));
  }
  return {};
}

/// Which of a segment's `count` elements its sum lacks.
using LeavesOut = std::function<bool(std::size_t place, std::size_t count)>;

std::size_t LengthOf(const Reduction& r, std::size_t segment) {
  return std::min<std::size_t>(SEGMENT, r.x.size() - segment * SEGMENT);
}

/// Whether all sums lack just these elements, and some sum does lack some.
bool AllLack(All all, const LeavesOut& leaves_out) {
  bool any_wrong = false;
  for (const Reduction& r : all) {
    if (!Completed(r.result) || HasError(r.result) || r.sums.size() != Segments(r)) return false;
    for (std::size_t b = 0; b < r.sums.size(); ++b) {
      const std::size_t count = LengthOf(r, b);
      if (!IsSumOf(r, b, [&](std::size_t place) { return !leaves_out(place, count); })) return false;
    }
    any_wrong |= r.result.wrong_count > 0;
  }
  return any_wrong;
}

std::string ElementOfX(std::size_t index) {
  return "X[" + std::to_string(index) + "]";
}

/// The first element that a sum of the shortest wrong test lacks.
struct Lacking {
  std::size_t n = 0, segment = 0, place = 0;
  std::string Name() const { return ElementOfX(segment * SEGMENT + place); }
};

std::optional<Lacking> FirstLacking(All all, const LeavesOut& leaves_out) {
  const Reduction* shortest = nullptr;
  for (const Reduction& r : all) {
    if (r.result.wrong_count > 0 && (shortest == nullptr || r.x.size() < shortest->x.size())) shortest = &r;
  }
  if (shortest == nullptr) return std::nullopt;
  for (std::size_t b = 0; b < Segments(*shortest); ++b) {
    for (std::size_t place = 0; place < LengthOf(*shortest, b); ++place) {
      if (leaves_out(place, LengthOf(*shortest, b))) return Lacking{shortest->x.size(), b, place};
    }
  }
  return std::nullopt;
}

Message ElementsCheckedTogether(All all) {
  std::vector<ElementGroups> fitting;
  for (const std::size_t size : {2u, 4u, 8u}) {
    for (const std::size_t stride : {std::size_t{1}, std::size_t{32}, SEGMENT / size}) {
      for (const bool keeps_first : {false, true}) {
        const bool is_another = stride != 32 || SEGMENT / size != 32;
        const ElementGroups groups{size, stride, keeps_first};
        const bool fits = is_another && (!keeps_first || (size > 2 && stride > 1)) &&
                          AllLack(all, [&](std::size_t place, std::size_t count) {
                            return groups.LeavesOut(place, count);
                          });
        if (fits) fitting.push_back(groups);
      }
    }
  }
  if (fitting.size() != 1) return {};
  const ElementGroups& groups = fitting.front();
  const auto lacking =
      FirstLacking(all, [&](std::size_t place, std::size_t count) { return groups.LeavesOut(place, count); });
  if (!lacking) return {};
  const std::string absent = ElementOfX(lacking->segment * SEGMENT + groups.LastOf(lacking->place));
  if (groups.stride == 1)
    return say::segments_left_out_neighbours(groups.size, lacking->n, lacking->Name(), absent);
  if (groups.size == 2)
    return say::segments_left_out_pairs(groups.stride, lacking->n, lacking->Name(), absent);
  const auto& row = groups.keeps_first ? say::segments_left_out_but_first : say::segments_left_out_apart;
  return row(groups.size, groups.stride, lacking->n, lacking->Name(), absent);
}

Message OddNumberHalved(All all) {
  if (!AllLack(all, IsLostByHalving)) return {};
  const auto lacking = FirstLacking(all, IsLostByHalving);
  if (!lacking) return {};
  return say::segments_odd_halved(lacking->n, lacking->Name(),
                                  "sums[" + std::to_string(lacking->segment) + "]");
}

Message StepMissing(All all) {
  for (std::size_t step = 2; step < SEGMENT / 2; step *= 2) {
    if (AllLack(all, [step](std::size_t place, std::size_t) { return place % (2 * step) >= step; }))
      return say::segments_step_missing(step, 2 * step);
  }
  return {};
}

/// Whether each sum is that of so many segments, and the rest of the sums is not stored.
bool HaveSeveral(All all, std::size_t segments) {
  bool any_wrong = false;
  for (const Reduction& r : all) {
    if (!Completed(r.result) || HasError(r.result) || r.sums.size() != Segments(r)) return false;
    for (std::size_t b = 0; b < r.sums.size(); ++b) {
      const std::size_t first = b * segments * SEGMENT;
      const std::size_t end = std::min(r.x.size(), first + segments * SEGMENT);
      if (first >= r.x.size() ? !IsPoison(r.sums[b])
                              : !IsSum({r.x.begin() + static_cast<std::ptrdiff_t>(first),
                                        r.x.begin() + static_cast<std::ptrdiff_t>(end)},
                                       r.sums[b])) {
        return false;
      }
    }
    any_wrong |= r.result.wrong_count > 0;
  }
  return any_wrong;
}

Message SegmentsAddedUp(All all) {
  const auto has_two = [](const Reduction& r) { return Segments(r) == 2; };
  const Reduction* shown = FirstWith(all, has_two);
  if (shown == nullptr) return {};
  for (const std::size_t segments : {2u, 4u, 8u}) {
    if (HaveSeveral(all, segments))
      return say::segments_several_in_one(segments, shown->x.size(), "sums[0]", "sums[1]");
  }
  return {};
}

}  // namespace

Message MistakeInSums(All all) {
  std::vector<Message> found;
  for (const auto& find : {ElementsCheckedTogether, OddNumberHalved, StepMissing, SegmentsAddedUp}) {
    if (Message mistake = find(all); !mistake.empty()) found.push_back(std::move(mistake));
  }
  return found.size() == 1 ? found.front() : Message();
}

std::uint64_t SectorsAllowed(std::size_t n) {
  return (n / 8 * 3 + 1) / 2 + 2 * ((n + SEGMENT - 1) / SEGMENT);
}

const LineCounts* LineOfConflicts(const TestResult& result) {
  const LineCounts* loads = BusiestLine(result, &Counts::shared_load_conflicts);
  const LineCounts* stores = BusiestLine(result, &Counts::shared_store_conflicts);
  if (loads == nullptr || stores == nullptr) return loads == nullptr ? stores : loads;
  return loads->counts.shared_load_conflicts >= stores->counts.shared_store_conflicts ? loads : stores;
}

Message NearlyRight(All all) {
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
  char off[32], size[32];
  std::snprintf(off, sizeof off, "%.1e", farthest);
  std::snprintf(size, sizeof size, "%.3g", beside);
  return say::segments_nearly_right(off, size);
}

std::vector<Fact> FactsOfReduction(std::span<const Reduction> all) {
  std::vector<Fact> found = FromFindings(all);
  FindSumsPastTheEnd(all, found);
  if (found.empty()) found = FromValues(all);
  if (found.empty()) found = FromCounts(all);
  return found;
}

}  // namespace warplings::bank_conflicts
