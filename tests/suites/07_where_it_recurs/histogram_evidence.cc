// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/histogram_evidence.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "reference/histogram.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/recognise.h"

namespace warplings::histogram {
namespace {

using recurs::FailedFirst;
using recurs::FindBy;
using recurs::FindReturns;

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;
using IsIt = std::function<bool(const Finding&)>;

Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

/// Every thread came to its end, and nothing is wrong but values.
bool HasValues(const Evidence& e) {
  return Completed(e.result) && Returned(e.result) && !HasError(e.result) && !e.counts.empty();
}

std::uint64_t ThreadsOfBlock(const Evidence& e) {
  return e.result.launches.empty() ? 0 : e.result.launches.back().block.Volume();
}

// --- Findings. -------------------------------------------------------------------------------------------

IsIt OfCounts(FindingKind kind) {
  return [kind](const Finding& finding) { return finding.kind == kind && finding.object == "counts"; };
}

bool Has(const Finding& finding, Access access) {
  return finding.access == access || finding.other_access == access;
}

/// Of accesses to one bin, at least one of which is atomic.
IsIt RaceOf(MemorySpace space, Access other) {
  return [=](const Finding& finding) {
    return finding.kind == FindingKind::kRace && finding.space == space && Has(finding, Access::kAtomic) &&
           Has(finding, other);
  };
}

/// A store that stands below the atomic addition does not clear before it: it may store the sum once more, or
/// clear for the next round.
bool IsStoredAfter(const Finding& finding) {
  if (finding.kind != FindingKind::kRace || !finding.other || !Has(finding, Access::kAtomic) ||
      !Has(finding, Access::kWrite)) {
    return false;
  }
  const bool is_store_first = finding.access == Access::kWrite;
  const SourceLine& store = is_store_first ? finding.where : *finding.other;
  const SourceLine& atomic = is_store_first ? *finding.other : finding.where;
  return store.file == atomic.file && store.line > atomic.line;
}

bool IsPlain(const Finding& finding, MemorySpace space) {
  return finding.kind == FindingKind::kRace && finding.space == space && !Has(finding, Access::kAtomic);
}

/// A read in one line and a store in the same line: an addition that is not atomic. A store and a read that
/// stand in different lines may be one, too, or lack a barrier.
bool IsPlainAddition(const Finding& finding) {
  return IsPlain(finding, MemorySpace::kShared) && finding.other && finding.where == *finding.other;
}

bool IsInBins(const Finding& finding) {
  return finding.space == MemorySpace::kShared || finding.object == "counts";
}

/// How many counts a call without elements sets to 0, if it leaves the rest as it was; 0: all, none, or as
/// many as warps have lanes, which is a kernel's number of threads.
std::size_t PartlyCleared(const Evidence& e) {
  if (!e.input.empty() || e.counts.empty() || e.counts.front() != 0) return 0;
  const auto end = std::ranges::find_if(e.counts, IsPoisonInt);
  if (end == e.counts.end() || !std::all_of(end, e.counts.end(), IsPoisonInt)) return 0;
  constexpr std::size_t kLanes = 32;
  const auto cleared = static_cast<std::size_t>(end - e.counts.begin());
  return cleared % kLanes == 0 ? 0 : cleared;
}

/// A call that would have set or copied memory.
bool IsRefusedCopy(const Finding& finding) {
  if (finding.kind != FindingKind::kInvalidCall || !say::refused.Made(finding.message)) return false;
  return finding.message.arguments().front().text.starts_with("cudaMem");
}

/// Counts that nobody has set. Where another block sets them in the same launch, they are only read too
/// early.
void FindForgotten(All all, const IsIt& is_set_by_another, Found& found) {
  const IsIt is_unset = OfCounts(FindingKind::kUninitialised);
  const Evidence* e = FirstWith(all, [&](const Evidence& each) {
    return std::ranges::any_of(each.result.findings, is_unset) &&
           std::ranges::none_of(each.result.findings, is_set_by_another);
  });
  if (e == nullptr) return;
  const Evidence* partly = FirstWith(all, [](const Evidence& each) { return PartlyCleared(each) > 0; });
  const auto refused = std::ranges::find_if(e->result.findings, IsRefusedCopy);
  if (partly == nullptr && refused != e->result.findings.end()) {
    const std::string call = refused->message.arguments().front().text;
    ShowFinding(AddFact(found, In(*e, say::hist_clearing_refused(call))), e->result, IsRefusedCopy);
    return;
  }
  const Message what = partly == nullptr ? say::hist_counts_read()
                                         : say::hist_counts_partly(PartlyCleared(*partly) * sizeof(int),
                                                                   partly->counts.size() * sizeof(int));
  ShowFinding(AddFact(found, In(partly == nullptr ? *e : *partly, what)), e->result, is_unset);
}

void FindInCounts(All all, Found& found) {
  const IsIt cleared = [is_race = RaceOf(MemorySpace::kGlobal, Access::kWrite)](const Finding& finding) {
    return finding.object == "counts" && is_race(finding) && !IsStoredAfter(finding);
  };
  FindForgotten(all, cleared, found);
  if (FindBy(all, cleared, say::hist_cleared_in_kernel(), found)) return;
  // The sum that is stored once more also races with the same store of other blocks.
  const IsIt stored = [](const Finding& finding) {
    return finding.object == "counts" && IsStoredAfter(finding);
  };
  if (FirstWith(all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, stored); }))
    return;
  FindBy(
      all,
      [](const Finding& finding) {
        return finding.object == "counts" && IsPlain(finding, MemorySpace::kGlobal);
      },
      say::hist_plain_update(), found);
}

/// An array without __shared__ belongs to one thread. A thread clears some elements of its own, and counts in
/// others.
void FindOwnCopies(All all, Found& found) {
  const IsIt in_own = [](const Finding& finding) {
    return finding.kind == FindingKind::kUninitialised && finding.space == MemorySpace::kLocal;
  };
  const bool uses_shared = std::ranges::any_of(all, [](const Evidence& e) { return UsesShared(e.result); });
  if (!uses_shared) FindBy(all, in_own, say::hist_own_copies(), found);
}

/// What is wrong with the block's copy. An addition that is not atomic races with everything, so it comes
/// first; a bin that nobody has cleared follows from a barrier that is missing.
void FindInCopy(All all, Found& found) {
  // What stores once more after an atomic addition races with itself, too, and adds nothing.
  const IsIt stored = [](const Finding& finding) {
    return finding.space == MemorySpace::kShared && IsStoredAfter(finding);
  };
  const bool is_stored_after = FirstWith(all, [&](const Evidence& e) {
                                 return std::ranges::any_of(e.result.findings, stored);
                               }) != nullptr;
  if (!is_stored_after && FindBy(all, IsPlainAddition, say::hist_plain_addition(), found)) return;
  const IsIt is_store = RaceOf(MemorySpace::kShared, Access::kWrite);
  const bool early = FindBy(
      all, [&](const Finding& finding) { return is_store(finding) && !IsStoredAfter(finding); },
      say::hist_counted_before_cleared(), found);
  const bool late =
      FindBy(all, RaceOf(MemorySpace::kShared, Access::kRead), say::hist_merged_before_counted(), found);
  if (early || late) return;
  const IsIt is_read = InShared(FindingKind::kUninitialised);
  const auto reads = [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_read); };
  const Evidence* few_bins = FirstWith(all, [&](const Evidence& e) {
    return reads(e) && static_cast<std::uint64_t>(e.bins) <= ThreadsOfBlock(e);
  });
  if (few_bins != nullptr) {
    ShowFinding(AddFact(found, In(*few_bins, say::hist_copy_read())), few_bins->result, is_read);
  } else if (const Evidence* e = FirstWith(all, reads)) {
    ShowFinding(AddFact(found, In(*e, say::hist_bins_read(ThreadsOfBlock(*e)))), e->result, is_read);
  }
}

// --- Values. ---------------------------------------------------------------------------------------------

std::vector<int> CountsOf(const Evidence& e, std::size_t first, std::size_t count) {
  const std::size_t begin = std::min(first, e.input.size());
  const std::size_t end = std::min(begin + count, e.input.size());
  return reference::Histogram(std::span(e.input).subspan(begin, end - begin), e.bins);
}

/// What the wrong idea gives for a test.
using Model = std::function<std::vector<int>(const Evidence&)>;

std::int64_t Total(const Evidence& e) {
  return std::accumulate(e.counts.begin(), e.counts.end(), std::int64_t{0});
}

std::uint64_t BlocksOf(const Evidence& e) {
  return e.result.launches.back().grid.Volume();
}

/// The shortest test that the model gets and that is wrong, if the model gets all tests. A model of what was
/// counted says nothing where nothing was.
const Evidence* Follows(All all, const Model& model) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e)) continue;
    if (e.counts != model(e)) return nullptr;
    if (e.result.wrong_count == 0 || Total(e) == 0) continue;
    if (seen == nullptr || e.input.size() < seen->input.size()) seen = &e;
  }
  return seen;
}

/// The first elements are counted, as many as the counts add up to.
std::vector<int> FirstElements(const Evidence& e) {
  return CountsOf(e, 0, static_cast<std::size_t>(std::max<std::int64_t>(Total(e), 0)));
}

std::vector<int> TimesThreads(const Evidence& e) {
  std::vector<int> counts = CountsOf(e, 0, e.input.size());
  for (int& count : counts) count *= static_cast<int>(ThreadsOfBlock(e));
  return counts;
}

std::vector<int> BinsOfABlock(const Evidence& e) {
  std::vector<int> counts = CountsOf(e, 0, e.input.size());
  for (std::size_t b = ThreadsOfBlock(e); b < counts.size(); ++b) counts[b] = 0;
  return counts;
}

/// Every block counts the same elements, the first.
std::vector<int> SameSegment(const Evidence& e) {
  const std::uint64_t blocks = BlocksOf(e);
  std::vector<int> counts = CountsOf(e, 0, static_cast<std::size_t>(Total(e)) / blocks);
  for (int& count : counts) count *= static_cast<int>(blocks);
  return counts;
}

bool IsEmpty(const Evidence& e) {
  return e.input.empty() || !HasValues(e) || std::ranges::count(e.counts, 0) == std::ssize(e.counts);
}

/// Each block counts `factor` elements for each of its threads, and the next one begins a block's threads
/// later.
Model OverlappingSegments(std::size_t factor) {
  return [factor](const Evidence& e) {
    std::vector<int> counts(static_cast<std::size_t>(e.bins));
    for (std::size_t block = 0; block < BlocksOf(e); ++block) {
      const std::size_t threads = ThreadsOfBlock(e);
      const std::vector<int> more = CountsOf(e, block * threads, threads * factor);
      std::ranges::transform(counts, more, counts.begin(), std::plus());
    }
    return counts;
  };
}

/// What wrapped round, if bins lack nothing but multiples of `range`, and get no more than the carries of
/// these: that is what counters of few bits do, alone or packed into words.
struct Wrapped {
  std::size_t bin = 0;  ///< That lacks most.
  std::int64_t lacking = 0;
  std::int64_t right_bins = 0;  ///< With elements.
};

std::optional<Wrapped> FindWrapped(const Evidence& e, std::int64_t range) {
  const std::vector<int> right = CountsOf(e, 0, e.input.size());
  Wrapped wrapped;
  std::int64_t lacking = 0, carried = 0;
  for (std::size_t b = 0; b < right.size(); ++b) {
    const std::int64_t difference = std::int64_t{right[b]} - e.counts[b];
    if (difference == 0 && right[b] > 0) ++wrapped.right_bins;
    if (difference < 0) carried -= difference;
    if (difference <= 0) continue;
    if (difference % range != 0) return std::nullopt;
    lacking += difference;
    if (difference > wrapped.lacking) wrapped = {b, difference, wrapped.right_bins};
  }
  if (lacking == 0 || carried > lacking / range) return std::nullopt;
  return wrapped;
}

/// Of elements that are all in one bin, as many may be missing because nobody counts some segments. A test in
/// which other bins are right shows that it is the counter.
bool FindNarrowCounter(All all, std::int64_t range, Found& found) {
  const Evidence* seen = nullptr;
  Wrapped shown;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.result.wrong_count == 0) continue;
    const std::optional<Wrapped> wrapped = FindWrapped(e, range);
    if (!wrapped) return false;
    if (seen != nullptr || wrapped->right_bins < 2) continue;
    seen = &e;
    shown = *wrapped;
  }
  if (seen == nullptr) return false;
  AddFact(found, In(*seen, say::hist_wrapped(shown.bin, shown.lacking, range)));
  return true;
}

/// Where nothing else explains the wrong counts: from a number of bins on they are wrong, with fewer they
/// never are.
void FindManyBins(All all, Found& found) {
  const Evidence* wrong = nullptr;
  int right = 0;
  for (const Evidence& e : all) {
    if (e.input.empty()) continue;
    if (!HasValues(e)) return;
    if (e.result.wrong_count == 0) {
      right = std::max(right, e.bins);
    } else if (wrong == nullptr || e.bins < wrong->bins) {
      wrong = &e;
    }
  }
  constexpr int kMany = 256;
  if (wrong != nullptr && right >= kMany && wrong->bins > right) {
    AddFact(found, In(*wrong, say::hist_only_many_bins(right, wrong->bins)));
  }
}

void FindWrongCounts(All all, Found& found) {
  const auto counts_in_copy = [](const Evidence& e) {
    return HasValues(e) && e.result.wrong_count > 0 && UsesShared(e.result);
  };
  if (const Evidence* e = FirstWith(all, counts_in_copy); e != nullptr && std::ranges::all_of(all, IsEmpty)) {
    AddFact(found, In(*e, say::hist_nothing_added()));
  }
  if (const Evidence* e = Follows(all, BinsOfABlock))
    AddFact(found, In(*e, say::hist_bins_missing(ThreadsOfBlock(*e))));
  if (const Evidence* e = Follows(all, FirstElements))
    AddFact(found, In(*e, say::hist_last_missing(Total(*e), e->input.size())));
  if (const Evidence* e = Follows(all, TimesThreads))
    AddFact(found, In(*e, say::hist_times_threads(ThreadsOfBlock(*e))));
  if (const Evidence* e = Follows(all, SameSegment); e != nullptr && BlocksOf(*e) > 1)
    AddFact(found, In(*e, say::hist_same_segment(static_cast<std::uint64_t>(Total(*e)) / BlocksOf(*e),
                                                 BlocksOf(*e))));
  for (std::size_t factor = 2; factor <= 64; factor *= 2) {
    if (const Evidence* e = Follows(all, OverlappingSegments(factor)); e != nullptr && BlocksOf(*e) > 1) {
      AddFact(found, In(*e, say::hist_overlapping()));
      return;
    }
  }
}

// --- Mistakes that have no misconception. ---------------------------------------------------------------

/// Of the kernel that counts, which is the first.
std::size_t CountingThreads(const Evidence& e) {
  return static_cast<std::size_t>(e.result.launches.front().block.Volume());
}

std::size_t CountingBlocks(const Evidence& e) {
  return static_cast<std::size_t>(e.result.launches.front().grid.Volume());
}

/// The counts of each block, where neighbouring threads of the whole grid count neighbouring elements.
std::vector<std::vector<int>> CountsOfBlocks(const Evidence& e) {
  const std::size_t threads = CountingThreads(e), blocks = CountingBlocks(e);
  std::vector<std::vector<int>> counts(blocks, std::vector<int>(static_cast<std::size_t>(e.bins)));
  for (std::size_t i = 0; i < e.input.size(); ++i)
    ++counts[i / threads % blocks][static_cast<std::size_t>(e.input[i])];
  return counts;
}

/// The start of a loop over the whole grid, and the step of one over a block.
std::vector<int> ToTheEnd(const Evidence& e) {
  std::vector<int> counts(static_cast<std::size_t>(e.bins));
  const std::size_t threads = CountingThreads(e), blocks = CountingBlocks(e);
  for (std::size_t i = 0; i < e.input.size(); ++i) {
    counts[static_cast<std::size_t>(e.input[i])] += static_cast<int>(std::min(i / threads + 1, blocks));
  }
  return counts;
}

/// A block adds those bins of its copy that a loop over the whole grid gives it.
std::vector<int> BinsOfEachBlock(const Evidence& e) {
  const std::vector<std::vector<int>> of_blocks = CountsOfBlocks(e);
  std::vector<int> counts(static_cast<std::size_t>(e.bins));
  for (std::size_t b = 0; b < counts.size(); ++b)
    counts[b] = of_blocks[b / CountingThreads(e) % of_blocks.size()][b];
  return counts;
}

/// Every block counts what is left over past the last whole group.
Model RestInEachBlock(std::size_t group) {
  return [group](const Evidence& e) {
    std::vector<int> counts = CountsOf(e, 0, e.input.size());
    const int again = static_cast<int>(CountingBlocks(e)) - 1;
    for (std::size_t i = e.input.size() / group * group; i < e.input.size(); ++i)
      counts[static_cast<std::size_t>(e.input[i])] += again;
    return counts;
  };
}

/// A thread counts a run of equal elements when another one follows, and so never its last run.
std::vector<int> WithoutLastRuns(const Evidence& e) {
  std::vector<int> counts = CountsOf(e, 0, e.input.size());
  const std::size_t grid = CountingThreads(e) * CountingBlocks(e), length = e.input.size();
  for (std::size_t first = 0; first < std::min(grid, length); ++first) {
    std::size_t last = first + (length - 1 - first) / grid * grid;
    const int value = e.input[last];
    while (e.input[last] == value) {
      --counts[static_cast<std::size_t>(value)];
      if (last < grid) break;
      last -= grid;
    }
  }
  return counts;
}

/// Of equal elements in a warp, the lane after the first of them is to add them all.
std::vector<int> BySecondLane(const Evidence& e) {
  constexpr std::size_t kLanes = 32;
  std::vector<int> counts(static_cast<std::size_t>(e.bins));
  for (std::size_t warp = 0; warp < e.input.size(); warp += kLanes) {
    const std::size_t end = std::min(warp + kLanes, e.input.size());
    for (std::size_t i = warp; i < end; ++i) {
      const auto at = [&](std::size_t place) { return e.input.begin() + static_cast<std::ptrdiff_t>(place); };
      const bool is_first = std::find(at(warp), at(i), e.input[i]) == at(i);
      if (is_first && i + 1 < end && e.input[i + 1] == e.input[i])
        counts[static_cast<std::size_t>(e.input[i])] +=
            static_cast<int>(std::count(at(i), at(end), e.input[i]));
    }
  }
  return counts;
}

/// Stored bin by bin, and added up block by block.
std::vector<int> PartsTransposed(const Evidence& e) {
  const std::vector<std::vector<int>> of_blocks = CountsOfBlocks(e);
  const std::size_t bins = static_cast<std::size_t>(e.bins), blocks = of_blocks.size();
  std::vector<int> counts(bins);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    for (std::size_t block = 0; block < blocks; ++block)
      counts[(bin * blocks + block) % bins] += of_blocks[block][bin];
  }
  return counts;
}

Message RestOf(const Evidence& e, std::size_t group) {
  const std::size_t length = e.input.size(), rest = length % group, blocks = CountingBlocks(e);
  if (length == 1) return say::hist_only_in_each_block(blocks, group);
  return rest == 1 ? say::hist_last_in_each_block(blocks, length, group)
                   : say::hist_rest_in_each_block(blocks, rest, length, group);
}

// --- Counts, where every value is right. ------------------------------------------------------------------

/// If each block has one copy.
std::uint64_t BinsOfCopies(const Evidence& e) {
  std::uint64_t blocks = 0;
  for (const LaunchRecord& launch : e.result.launches) blocks += launch.grid.Volume();
  return blocks * static_cast<std::uint64_t>(e.bins);
}

/// Whoever loads everything again, or with one lane of a warp, has another idea than one whose neighbours lie
/// apart.
void FindLoads(const Evidence& e, const Limits& limits, Found& found) {
  const ArrayTraffic of_input = TrafficOf(e.result, "input");
  const std::uint64_t loaded = of_input.load_bytes / sizeof(int), length = e.input.size();
  const std::uint64_t requests = TotalCounts(e.result).global_load_requests;
  if (loaded >= 2 * length) {
    AddFact(found, In(e, say::hist_loaded_again(loaded, length)));
  } else if (of_input.load_sectors < 2 * limits.load_sectors) {
    return;
  } else if (loaded < 2 * requests) {
    AddFact(found, In(e, say::hist_one_lane()));
  } else {
    AddFact(found, In(e, say::hist_many_sectors(of_input.load_sectors)));
  }
}

void FindByCounts(const Evidence& e, Found& found) {
  const Limits limits = LimitsOf(e.input.size(), e.bins);
  const std::uint64_t updates = Updates(e.result);
  if (updates > limits.updates) {
    if (!UsesShared(e.result)) {
      AddFact(found, In(e, say::hist_no_copy(updates)));
    } else if (Threads(e.result) >= e.input.size()) {
      AddFact(found, In(e, say::hist_many_threads(Threads(e.result))));
    } else if (const std::uint64_t bins = BinsOfCopies(e); updates > bins + bins / 2 + 4 * e.bins) {
      AddFact(found, In(e, say::hist_merged_again(updates, bins)));
    } else {
      AddFact(found, In(e, say::hist_many_updates(updates)));
    }
  }
  FindLoads(e, limits, found);
}

}  // namespace

Message MistakeInCounts(All all) {
  std::vector<Message> found;
  if (Follows(all, ToTheEnd) != nullptr) found.push_back(say::hist_to_the_end());
  if (const Evidence* e = Follows(all, BinsOfEachBlock))
    found.push_back(say::hist_bins_of_a_block(CountingThreads(*e)));
  for (const std::size_t group : {2u, 4u, 8u, 16u, 32u}) {
    if (const Evidence* e = Follows(all, RestInEachBlock(group))) found.push_back(RestOf(*e, group));
  }
  if (Follows(all, WithoutLastRuns) != nullptr) found.push_back(say::hist_last_run());
  if (Follows(all, BySecondLane) != nullptr) found.push_back(say::hist_second_lane());
  if (const Evidence* e = Follows(all, PartsTransposed))
    found.push_back(say::hist_parts_transposed(CountingBlocks(*e)));
  return found.size() == 1 ? found.front() : Message();
}

bool IsLong(std::size_t length, int bins) {
  return length >= kLongLength && length >= kLongPerBin * static_cast<std::size_t>(bins);
}

Limits LimitsOf(std::size_t length, int bins) {
  const std::uint64_t updates = length / kCoarseFactor + 4 * static_cast<std::uint64_t>(bins);
  const std::uint64_t sectors = length / 8 + length / 32;
  return {updates, sectors, sectors + updates};
}

std::uint64_t Updates(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  return (counts.global_store_bytes + counts.global_atomic_bytes) / sizeof(int);
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t threads = 0;
  for (const LaunchRecord& launch : result.launches) threads += launch.grid.Volume() * launch.block.Volume();
  return threads;
}

bool UsesShared(const TestResult& result) {
  return SharedRequests(TotalCounts(result)) > 0;
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  if (FindBy(
          all, [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; },
          say::hist_different_barriers(), found)) {
    return found;
  }
  if (FindReturns(all, say::hist_returned(), found)) return found;
  FindBy(
      all, [](const Finding& finding) { return IsInBins(finding) && IsStoredAfter(finding); },
      say::hist_stored_after_atomic(), found);
  FindOwnCopies(all, found);
  FindInCopy(all, found);
  FindInCounts(all, found);
  FindBy(all, Outside("input", Access::kRead), say::hist_reads_behind(), found);
  if (found.empty()) FindWrongCounts(all, found);
  if (found.empty() && !FindNarrowCounter(all, 65'536, found)) FindNarrowCounter(all, 256, found);
  if (found.empty()) FindManyBins(all, found);
  // An empty grid for an empty input is a fault of its own: the counts are still worth a look.
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    return e.input.empty() || (e.result.wrong_count == 0 && !HasError(e.result));
  });
  if (!found.empty() || !right) return found;
  for (const Evidence* e : FailedFirst(all)) {
    if (IsLong(e->input.size(), e->bins) && Completed(e->result)) FindByCounts(*e, found);
  }
  return found;
}

}  // namespace warplings::histogram
