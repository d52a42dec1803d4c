// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/06_coarsening/coarsened_reduction_evidence.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/suite/evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/element_groups.h"
#include "tests/suites/common/title_numbers.h"

namespace warplings::coarsened_reduction {
namespace {

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;

/// Names the test, and its size unless its title does.
Message In(const Evidence& e, const Message& what) {
  return HasNumber(e.result.title, std::ssize(e.input))
             ? say::of_test(e.test, what)
             : say::coarse_sum_evidence(e.test, e.input.size(), what);
}

/// The kernel's launch; nothing to learn from a test with none.
const LaunchRecord* Launch(const Evidence& e) {
  return Completed(e.result) ? &e.result.launches.front() : nullptr;
}

std::size_t SegmentOf(const LaunchRecord& launch) {
  return launch.block.x * std::size_t{kCoarseFactor};
}

double SumOf(const Evidence& e, std::size_t first, std::size_t count) {
  const std::size_t end = std::min(first + count, e.input.size());
  double sum = 0;
  for (std::size_t i = first; i < end; ++i) sum += static_cast<double>(e.input[i]);
  return sum;
}

// --- Findings. -------------------------------------------------------------------------------------------

void FindUncleared(All all, Found& found) {
  const auto is_of_output = [](const Finding& finding) {
    return finding.kind == FindingKind::kUninitialised && finding.object == "output";
  };
  const Evidence* seen =
      FirstWith(all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_of_output); });
  if (seen != nullptr) {
    Fact& fact = AddFact(found, In(*seen, say::coarse_sum_output_read()));
    ShowFinding(fact, seen->result, is_of_output);
  }
}

/// Blocks of one launch have no order: what some add before another one stores the zero is lost.
void FindClearedInKernel(All all, Found& found) {
  const auto clears = [](const Finding& finding) {
    return finding.kind == FindingKind::kRace && finding.object == "output" &&
           say::race_of_blocks.Made(finding.message) &&
           (finding.access == Access::kAtomic || finding.other_access == Access::kAtomic);
  };
  const Evidence* seen =
      FirstWith(all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, clears); });
  if (seen == nullptr) return;
  Fact& fact = AddFact(found, In(*seen, say::coarse_sum_cleared_in_kernel()));
  ShowFinding(fact, seen->result, clears);
}

/// Elements that threads ask for behind the end when only the first element of each is checked.
std::uint64_t UnguardedReads(const Evidence& e, const LaunchRecord& launch) {
  const std::size_t segment = SegmentOf(launch);
  std::uint64_t count = 0;
  for (std::size_t first = 0; first < e.input.size(); ++first) {
    if (first % segment >= launch.block.x) continue;
    for (std::size_t i = first; i < first + segment; i += launch.block.x) count += i >= e.input.size();
  }
  return count;
}

void FindUnguarded(All all, Found& found) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    const std::uint64_t outside = CountOutside(e.result, "input", Access::kRead);
    const LaunchRecord* launch = Launch(e);
    if (launch == nullptr) continue;
    if (outside != UnguardedReads(e, *launch)) return;
    if (seen == nullptr && outside > 0) seen = &e;
  }
  if (seen == nullptr) return;
  Fact& fact = AddFact(
      found, In(*seen, say::coarse_sum_reads_behind(CountOutside(seen->result, "input", Access::kRead))));
  ShowFinding(fact, seen->result, Outside("input", Access::kRead));
}

// --- Values. ---------------------------------------------------------------------------------------------

/// What the wrong idea gives for a test with exact sums.
using Model = std::function<double(const Evidence&, const LaunchRecord&)>;

double WholeSegments(const Evidence& e, const LaunchRecord& launch) {
  const std::size_t segment = SegmentOf(launch);
  return SumOf(e, 0, e.input.size() / segment * segment);
}

double OverlappingSegments(const Evidence& e, const LaunchRecord& launch) {
  double sum = 0;
  for (std::size_t block = 0; block < launch.grid.x; ++block) {
    sum += SumOf(e, block * launch.block.x, SegmentOf(launch));
  }
  return sum;
}

/// The model gives every exact test's value, and a wrong one among them.
const Evidence* Follows(All all, const Model& model) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    const LaunchRecord* launch = Launch(e);
    if (!e.is_exact || launch == nullptr || e.value.empty()) continue;
    if (static_cast<double>(e.value.front()) != model(e, *launch)) return nullptr;
    if (seen == nullptr && e.result.wrong_count > 0) seen = &e;
  }
  return seen;
}

/// The one sum of a block, once for each of its threads.
double OncePerThread(const Evidence& e, const LaunchRecord& launch) {
  return launch.block.x * SumOf(e, 0, e.input.size());
}

/// In each test that ran there is an atomic addition to the output for each thread, beside a tree in shared
/// memory, and some sum is wrong: whatever else is wrong with the values.
const Evidence* AddsInEveryThread(All all) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (Launch(e) == nullptr) continue;
    const Counts counts = TotalCounts(e.result);
    if (GlobalAtomics(e.result) != Threads(e.result) || counts.shared_load_requests == 0) return nullptr;
    // The only thread of a block adds for all of it.
    if (e.result.launches.front().block.Volume() == 1) return nullptr;
    if (seen == nullptr && e.result.wrong_count > 0) seen = &e;
  }
  return seen;
}

void FindWrongSums(All all, Found& found) {
  if (const Evidence* e = Follows(all, WholeSegments)) {
    AddFact(found, In(*e, say::coarse_sum_whole_segments()));
  }
  if (const Evidence* e = Follows(all, OverlappingSegments)) {
    AddFact(found, In(*e, say::coarse_sum_overlapping()));
  }
}

// --- Barriers, and what looks like one that is missing.
// -------------------------------------------------------

void FindBarriers(All all, Found& found) {
  const auto diverges = [](const Evidence& e) {
    return HasFinding(e.result, FindingKind::kDivergentBarrier);
  };
  const auto races = [](const Evidence& e) { return ReadsTooEarlyOrStoresOver(e.result); };
  // Threads that return do no harm unless something was theirs to do.
  const auto returns = [](const Evidence& e) {
    const bool lacks_values = HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared) ||
                              (e.result.wrong_count > 0 && !HasError(e.result));
    return lacks_values && HasFinding(e.result, FindingKind::kBarrierAfterExit);
  };
  // Threads that meet at different barriers are out of step from there on: races follow from it.
  if (const Evidence* e = FirstWith(all, diverges)) {
    Fact& fact = AddFact(found, In(*e, say::coarse_sum_different_barriers()));
    ShowFinding(fact, e->result, FindingKind::kDivergentBarrier);
  } else if (const Evidence* added = AddsInEveryThread(all)) {
    // The sum is read while thread 0 still adds to it; the race goes with the test that is missing. A sum
    // that is the right one times a block's threads says nothing of who adds: they may all add up the same
    // places of shared memory before one of them goes to the output.
    const Evidence* counted = Follows(all, OncePerThread);
    AddFact(found, counted != nullptr
                       ? In(*counted, say::coarse_sum_once_per_thread())
                       : In(*added, say::coarse_sum_atomic_per_thread(GlobalAtomics(added->result))));
  } else if (const Evidence* returned = FirstWith(all, returns)) {
    Fact& fact = AddFact(found, In(*returned, say::coarse_sum_returned()));
    ShowFinding(fact, returned->result, FindingKind::kBarrierAfterExit);
  } else if (const Evidence* raced = FirstWith(all, races)) {
    Fact& fact = AddFact(found, In(*raced, say::two_threads_race()));
    ShowFinding(fact, raced->result, NeedsABarrier);
    NameRaceOfPasses(fact, raced->result);
  }
}

// --- Counts, where every value is right. ------------------------------------------------------------------

/// What a warp of the first launch executes at most, with so many elements; 0 where no such test ran.
std::uint64_t LongestWarp(All all, std::size_t length) {
  const Evidence* e = FirstWith(all, [=](const Evidence& each) { return each.input.size() == length; });
  const LaunchRecord* launch = e == nullptr ? nullptr : Launch(*e);
  return launch == nullptr ? 0 : launch->longest_warp;
}

/// From 256 elements on, where a thread of a block has at most its first one, to 2048 no warp has more to do.
bool NoThreadHasASecond(All all) {
  const std::uint64_t one = LongestWarp(all, 256), eight = LongestWarp(all, 2048);
  return one > 0 && one == eight;
}

/// Blocks of a warp's width at least. A thread that loads alone has no neighbours that could lie apart.
bool HasNeighbours(const TestResult& result) {
  return std::ranges::all_of(result.launches,
                             [](const LaunchRecord& launch) { return launch.block.Volume() >= 32; });
}

/// A grid of one size is no thread for each element where it happens to have as many.
bool EachElementHasAThread(All all) {
  return std::ranges::all_of(
      all, [](const Evidence& e) { return Launch(e) == nullptr || Threads(e.result) >= e.input.size(); });
}

void FindByCounts(All all, const Evidence& e, Found& found) {
  const Counts counts = TotalCounts(e.result);
  const Limits limits = LimitsOf(kCountedLength);
  const std::uint64_t threads = Threads(e.result);
  // A thread for each element, and the rest of the last block; more threads than that are another idea.
  if (threads >= kCountedLength && threads < kCountedLength + 1024 && EachElementHasAThread(all)) {
    AddFact(found, NoThreadHasASecond(all) ? "uncoarsened" : "grid_not_divided",
            In(e, say::coarse_sum_many_threads(threads)));
  } else if (threads > limits.threads) {
    return;  // coarsened, by less than the contract asks for
  } else if (GlobalAtomics(e.result) == threads && GlobalAtomics(e.result) > limits.atomics) {
    AddFact(found, In(e, say::coarse_sum_many_atomics(GlobalAtomics(e.result))));
  } else if (counts.barriers > limits.barriers) {
    const LineCounts* line = BusiestLine(e.result, &Counts::barriers);
    AddFact(found,
            In(e, line == nullptr ? say::coarse_sum_many_arrivals(counts.barriers)
                                  : say::coarse_sum_many_arrivals_in(counts.barriers, line->where.line)));
  } else if (counts.global_load_sectors >= 2 * limits.load_sectors &&
             32 * counts.global_load_sectors >= 2 * counts.global_load_bytes && HasNeighbours(e.result)) {
    AddFact(found, In(e, say::coarse_sum_many_sectors(counts.global_load_sectors)));
  }
}

/// Which elements of a call the sum lacks.
using LeavesOut = std::function<bool(std::size_t element, std::size_t length)>;

/// The shortest exact test that is wrong, where all exact sums lack just these elements.
const Evidence* AllLack(All all, const LeavesOut& leaves_out) {
  const Evidence* shortest = nullptr;
  for (const Evidence& e : all) {
    if (!e.is_exact || Launch(e) == nullptr || e.value.empty()) continue;
    double sum = 0;
    for (std::size_t i = 0; i < e.input.size(); ++i) {
      if (!leaves_out(i, e.input.size())) sum += static_cast<double>(e.input[i]);
    }
    if (static_cast<double>(e.value.front()) != sum) return nullptr;
    const bool is_shorter = shortest == nullptr || e.input.size() < shortest->input.size();
    if (e.result.wrong_count > 0 && is_shorter) shortest = &e;
  }
  return shortest;
}

std::string ElementOfInput(std::size_t index) {
  return "input[" + std::to_string(index) + "]";
}

std::size_t FirstLeftOut(const Evidence& e, const LeavesOut& leaves_out) {
  std::size_t first = 0;
  while (!leaves_out(first, e.input.size())) ++first;
  return first;
}

/// What is said where this is the mistake; empty where it is not.
Message CheckedTogether(All all, const ElementGroups& groups) {
  const LeavesOut leaves_out = [&](std::size_t i, std::size_t length) { return groups.LeavesOut(i, length); };
  const Evidence* e = AllLack(all, leaves_out);
  if (e == nullptr) return {};
  const std::size_t first = FirstLeftOut(*e, leaves_out);
  const std::string left_out = ElementOfInput(first), absent = ElementOfInput(groups.LastOf(first));
  const Message call = say::reduction_call(e->input.size());
  if (groups.stride == 1) return say::elements_left_out_neighbours(groups.size, call, left_out, absent);
  const auto& row = groups.keeps_first ? say::elements_left_out_but_first : say::elements_left_out_apart;
  return row(groups.size, groups.stride, call, left_out, absent);
}

Message FirstRowOnly(All all, std::size_t threads) {
  const std::size_t segment = threads * kCoarseFactor;
  const LeavesOut leaves_out = [=](std::size_t i, std::size_t length) {
    return i / segment == length / segment && i % segment >= threads;
  };
  const Evidence* e = AllLack(all, leaves_out);
  if (e == nullptr) return {};
  return say::coarse_sum_first_row_only(threads, say::reduction_call(e->input.size()),
                                        ElementOfInput(FirstLeftOut(*e, leaves_out)));
}

Message OddTree(All all, std::size_t threads) {
  const LeavesOut leaves_out = [=](std::size_t i, std::size_t) {
    return IsLostByHalving(i % threads, threads);
  };
  const Evidence* e = AllLack(all, leaves_out);
  if (e == nullptr) return {};
  std::size_t odd = threads;
  while (odd % 2 == 0) odd /= 2;
  return say::coarse_sum_odd_tree(threads, odd, say::reduction_call(e->input.size()),
                                  ElementOfInput(FirstLeftOut(*e, leaves_out)));
}

}  // namespace

Message MistakeInSums(All all) {
  const auto wrong = std::ranges::find_if(
      all, [](const Evidence& e) { return Launch(e) != nullptr && e.result.wrong_count > 0; });
  if (wrong == all.end()) return {};
  const std::size_t threads = Launch(*wrong)->block.Volume();
  constexpr std::size_t kLanes = 32;
  if (threads <= kLanes) return {};
  std::vector<Message> found = {FirstRowOnly(all, threads), OddTree(all, threads),
                                CheckedTogether(all, {.size = threads})};
  for (const std::size_t size : {2u, 4u, 8u}) {
    found.push_back(CheckedTogether(all, {.size = size}));
    for (const std::size_t stride : {kLanes, threads}) {
      found.push_back(CheckedTogether(all, {.size = size, .stride = stride}));
      found.push_back(CheckedTogether(all, {.size = size, .stride = stride, .keeps_first = true}));
    }
  }
  std::erase_if(found, [](const Message& each) { return each.empty(); });
  return found.size() == 1 ? found.front() : Message();
}

Limits LimitsOf(int length) {
  constexpr std::uint64_t kFactor = kCoarseFactor, kLargestBlock = 1024, kArrivalsOfIt = 11 * 32;
  const auto elements = static_cast<std::uint64_t>(length);
  const std::uint64_t blocks = (elements + kLargestBlock * kFactor - 1) / (kLargestBlock * kFactor);
  const std::uint64_t threads = blocks * kLargestBlock;
  return {threads + kLargestBlock, (blocks + 1) * kArrivalsOfIt, threads / 32 + 16,
          elements / 8 + elements / 32};
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : result.launches) threads += launch.grid.Volume() * launch.block.Volume();
  return threads;
}

std::uint64_t GlobalAtomics(const TestResult& result) {
  return TotalCounts(result).global_atomic_bytes / sizeof(float);
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  FindBarriers(all, found);
  FindUncleared(all, found);
  FindClearedInKernel(all, found);
  FindUnguarded(all, found);
  if (found.empty()) FindWrongSums(all, found);
  const Evidence* counted = FirstWith(
      all, [](const Evidence& e) { return e.input.size() == kCountedLength && Completed(e.result); });
  // An empty grid for an empty input is a fault of its own: the counts are still worth a look.
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    return e.input.empty() || (e.result.wrong_count == 0 && !HasError(e.result));
  });
  if (found.empty() && right && counted != nullptr) FindByCounts(all, *counted, found);
  return found;
}

}  // namespace warplings::coarsened_reduction
