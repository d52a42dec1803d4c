// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/scan_evidence.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "reference/scan.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/recognise.h"

namespace warplings::scan {
namespace {

using recurs::FindBy;
using recurs::FindReturns;

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;
using IsIt = std::function<bool(const Finding&)>;

/// With one thread that scans a tile, and a whole block that loads and stores it, it is 7 of 32.
constexpr double kFewLanes = 12;
/// Enough elements to tell models apart.
constexpr std::size_t kManyElements = 100'000;
/// Ints loaded for each element, of which no honest kernel comes near.
constexpr std::uint64_t kLoadsOfSquare = 16;
/// As many elements are many tiles.
constexpr std::size_t kManyTiles = 1 << 14;

Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

/// Every thread came to its end, and nothing is wrong but values.
bool HasValues(const Evidence& e) {
  const auto is_not_unwritten = [](const Finding& finding) {
    return finding.severity == Severity::kError && finding.object != "output";
  };
  return Completed(e.result) && Returned(e.result) && !e.output.empty() &&
         std::ranges::none_of(e.result.findings, is_not_unwritten);
}

bool IsWrong(const Evidence& e) {
  return e.result.wrong_count > 0;
}

// --- Findings. -------------------------------------------------------------------------------------------

/// x[t] += x[t - d] is a step in one line, with a race in that line. An addition to a thread's own element
/// also reads in its line, so that a race of two lines says more.
bool IsInOneLine(const Finding& finding) {
  return finding.other && finding.where == *finding.other;
}

bool IsOfTwoLines(const Finding& finding) {
  return NeedsABarrier(finding) && !IsInOneLine(finding);
}

bool IsOverwritten(const Finding& finding) {
  return NeedsABarrier(finding) && IsInOneLine(finding);
}

bool IsGlobalRace(const Finding& finding) {
  return finding.kind == FindingKind::kRace && finding.space == MemorySpace::kGlobal;
}

/// Not of memory that nobody has written: a sum that a kernel before should have stored is missing there.
bool IsOfAnotherBlock(const Finding& finding) {
  return finding.object != "input" && finding.object != "output" && IsGlobalRace(finding);
}

bool IsStoredByTwoBlocks(const Finding& finding) {
  return IsOfAnotherBlock(finding) && BothStore(finding);
}

/// A kernel whose blocks communicate has a flag or a counter: only a fence is missing.
bool IsPastFlag(const TestResult& result, const Finding& finding) {
  return IsOfAnotherBlock(finding) && std::ranges::any_of(result.launches, [&](const LaunchRecord& launch) {
           return launch.kernel == finding.kernel && launch.has_block_order;
         });
}

bool FindFlagRace(All all, Found& found) {
  for (const Evidence& e : all) {
    const auto is_after_flag = [&](const Finding& finding) { return IsPastFlag(e.result, finding); };
    if (std::ranges::any_of(e.result.findings, is_after_flag))
      return FindBy(All(&e, 1), is_after_flag, say::scan_flag_race(), found);
  }
  return false;
}

/// Says which line is to wait, if all such races of the test need the same.
bool FindOfTwoLines(All all, Found& found) {
  const Evidence* seen =
      FirstWith(all, [](const Evidence& e) { return std::ranges::any_of(e.result.findings, IsOfTwoLines); });
  if (seen == nullptr) return false;
  Fact& fact = AddFact(found, In(*seen, say::scan_read_early()));
  ShowFinding(fact, seen->result, IsOfTwoLines);
  if (!fact.finding) return true;
  const auto [store, read] = LinesOfRace(*fact.finding);
  const RaceBarrier barrier = BarrierOfRaces(seen->result);
  const bool is_of_passes =
      !RaceOfPasses(*fact.finding, seen->result.launches, seen->result.findings).empty();
  if (is_of_passes) {
    NameRaceOfPasses(fact, seen->result);
  } else if (barrier == RaceBarrier::kNone) {
    fact.message = In(*seen, say::scan_read_before(store, read));
  } else if (barrier == RaceBarrier::kStoreComesLast) {
    fact.message = In(*seen, say::scan_stored_over(store, read));
  }
  return true;
}

/// Neither input nor output, but an array that the submission made.
bool IsOwnArrayUnset(const Finding& finding) {
  return finding.kind == FindingKind::kUninitialised && finding.space == MemorySpace::kGlobal &&
         !finding.object.empty() && finding.object != "input" && finding.object != "output";
}

/// A launch that was refused, or a warp that hangs, leaves an array unset, too.
void FindUnset(All all, Found& found) {
  const IsIt is_another = [](const Finding& finding) {
    return finding.severity == Severity::kError && finding.kind != FindingKind::kUninitialised;
  };
  const bool has_another = std::ranges::any_of(
      all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_another); });
  if (!has_another) FindBy(all, IsOwnArrayUnset, say::scan_own_array_unset(), found);
}

void FindInMemory(All all, Found& found) {
  const bool races = FindOfTwoLines(all, found) || FindBy(all, IsOverwritten, say::scan_overwritten(), found);
  // What is read too early may not be written yet.
  if (!races) FindBy(all, InShared(FindingKind::kUninitialised), say::scan_shared_read(), found);
  const auto of_output = [](const Finding& finding) {
    return finding.object == "output" && IsGlobalRace(finding);
  };
  // Where scan calls itself, tiles that overlap in output overlap in the sums, too.
  const bool has_output_twice = FindBy(
      all, [&](const Finding& finding) { return of_output(finding) && BothStore(finding); },
      say::scan_output_twice(), found);
  if (!has_output_twice) {
    if (!FindBy(all, IsStoredByTwoBlocks, say::scan_sums_twice(), found) && !FindFlagRace(all, found))
      FindBy(all, IsOfAnotherBlock, say::scan_blocks_race(), found);
    FindBy(all, of_output, say::scan_output_race(), found);
  }
  FindBy(all, Outside("input", Access::kRead), say::scan_reads_behind(), found);
  FindBy(all, Outside("output", Access::kWrite), say::scan_stores_behind(), found);
}

/// A flag that is the sum itself never differs from 0 if the sum is 0. Among many tiles, one may be 0 by
/// chance.
void FindEndlessWait(All all, Found& found) {
  const auto waits = [](const Evidence& e) {
    return e.input.size() <= kManyElements &&
           (HasFinding(e.result, FindingKind::kEndlessLoop) || HasFinding(e.result, FindingKind::kDeadlock));
  };
  if (std::ranges::count_if(all, waits) != 1) return;
  const Evidence& e = *std::ranges::find_if(all, waits);
  if (std::ranges::all_of(e.input, [](int value) { return value == 0; }))
    AddFact(found, In(e, say::scan_endless_wait()));
}

// --- Values. ---------------------------------------------------------------------------------------------

/// What the wrong idea gives for an input.
using Model = std::function<std::vector<int>(std::span<const int>)>;

/// The shortest wrong test, if the model gets all tests of at most `most` elements. Those with a single piece
/// may be right: kernels leave out what only several pieces need.
const Evidence* Follows(All all, const Model& model, std::size_t piece = 0,
                        std::size_t most = kManyElements) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || e.input.size() > most || (e.input.size() <= piece && !IsWrong(e))) continue;
    if (e.output != model(e.input)) return nullptr;
    if (IsWrong(e) && (seen == nullptr || e.input.size() < seen->input.size())) seen = &e;
  }
  return seen;
}

std::vector<int> Exclusive(std::span<const int> input) {
  std::vector<int> sums = reference::Scan(input);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] -= input[i];
  return sums;
}

Model BeginsAnew(std::size_t piece) {
  return [piece](std::span<const int> input) { return reference::Scan(input, piece); };
}

/// Right within its piece, and with the sum of the piece before that, but of no earlier one.
Model PreviousOnly(std::size_t piece) {
  return [piece](std::span<const int> input) {
    const std::vector<int> own = reference::Scan(input, piece);
    std::vector<int> sums = own;
    for (std::size_t i = piece; i < sums.size(); ++i) sums[i] += own[i / piece * piece - 1];
    return sums;
  };
}

/// The whole sum of its own piece is added as if the piece were before itself. Pieces before `first` are
/// right.
Model OwnTwice(std::size_t piece, std::size_t first = 0) {
  return [=](std::span<const int> input) {
    const std::vector<int> own = reference::Scan(input, piece);
    std::vector<int> sums = reference::Scan(input);
    for (std::size_t i = first; i < sums.size(); ++i)
      sums[i] += own[std::min(i / piece * piece + piece, sums.size()) - 1];
    return sums;
  };
}

/// The index of the first sum whose difference from the right one `is_it`, given the difference before.
template <class Predicate>
std::optional<std::size_t> FirstDifference(const Evidence& e, const Predicate& is_it) {
  const std::vector<int> right = reference::Scan(e.input);
  const auto difference = [&](std::size_t i) {
    return static_cast<unsigned>(e.output[i]) - static_cast<unsigned>(right[i]);
  };
  for (std::size_t i = 1; i < e.output.size(); ++i) {
    if (is_it(difference(i - 1), difference(i))) return i;
  }
  return std::nullopt;
}

/// The length of a piece is seen in the test with the most elements.
const Evidence* LongestWrong(All all) {
  const Evidence* longest = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || !IsWrong(e)) continue;
    if (longest == nullptr || e.input.size() > longest->input.size()) longest = &e;
  }
  return longest;
}

std::size_t ThreadsOfBlock(const Evidence& e) {
  return static_cast<std::size_t>(e.result.launches.front().block.Volume());
}

/// A tile of which each thread, or each warp, has a piece of this length. A function that scans the sums of
/// the tiles with itself is wrong there, too, so that only one tile fits a model.
std::size_t TileOf(std::size_t piece, std::size_t threads) {
  return piece < 32 ? piece * threads : std::max(piece, piece / 32 * threads);
}

/// Within the first tile.
void FindPiecesOfATile(All all, std::size_t piece, std::size_t threads, Found& found) {
  const std::size_t most = std::min(TileOf(piece, threads), kManyElements);
  if (const Evidence* e = Follows(all, BeginsAnew(piece), 0, most)) {
    AddFact(found, In(*e, piece == 1 ? say::scan_nothing_added() : say::scan_threads_alone(piece)));
  } else if (const Evidence* twice = Follows(all, OwnTwice(piece), 0, most)) {
    AddFact(found, In(*twice, say::scan_own_elements_twice(piece)));
  }
}

/// Each tile has the one before it. Fewer elements than a warp's are no tile.
const Evidence* FollowsPreviousOnly(All all, std::size_t piece) {
  return piece < 32 ? nullptr : Follows(all, PreviousOnly(piece));
}

/// A first tile that adds nothing is right.
const Evidence* FollowsOwnTwice(All all, std::size_t piece) {
  const Evidence* twice = Follows(all, OwnTwice(piece), piece);
  return twice != nullptr ? twice : Follows(all, OwnTwice(piece, piece), piece);
}

void FindPieces(All all, const Evidence& longest, Found& found) {
  const auto changes = [](unsigned before, unsigned here) { return before != here; };
  const std::optional<std::size_t> first = FirstDifference(longest, changes);
  if (!first) return;
  const std::size_t piece = *first, threads = ThreadsOfBlock(longest);
  if (const Evidence* e = Follows(all, BeginsAnew(piece)); e != nullptr && piece >= threads) {
    AddFact(found, In(*e, say::scan_tiles_alone(piece)));
  } else if (const Evidence* previous = FollowsPreviousOnly(all, piece / 2)) {
    AddFact(found, In(*previous, say::scan_previous_only(piece / 2)));
  } else if (const Evidence* twice = FollowsOwnTwice(all, piece); twice != nullptr && piece >= threads) {
    AddFact(found, In(*twice, say::scan_own_tile_twice(piece)));
  } else {
    FindPiecesOfATile(all, piece, threads, found);
  }
}

std::size_t FirstWrong(const Evidence& e) {
  return static_cast<std::size_t>(std::ranges::mismatch(e.output, reference::Scan(e.input)).in1 -
                                  e.output.begin());
}

/// The shortest call with wrong sums and more than one of them.
const Evidence* ShortestWrong(All all) {
  const Evidence* shortest = nullptr;
  for (const Evidence& e : all) {
    if (!HasValues(e) || !IsWrong(e) || e.input.size() < 2) continue;
    if (shortest == nullptr || e.input.size() < shortest->input.size()) shortest = &e;
  }
  return shortest;
}

/// A function that scans the sums of its tiles with itself has other sums where there are several tiles.
bool FindExclusiveInATile(All all, Found& found) {
  constexpr std::size_t kOneTile = 32;
  const Evidence* shortest = ShortestWrong(all);
  if (shortest == nullptr || shortest->input.size() > kOneTile ||
      Follows(all, Exclusive, 0, kOneTile) == nullptr) {
    return false;
  }
  AddFact(found, In(*shortest, say::scan_exclusive()));
  return true;
}

/// How a block combines the sums of its threads, in steps whose distance doubles.
struct Steps {
  std::size_t threads = 0;
  std::size_t end = 0;            ///< The first distance that has no step.
  bool leaves_out_first = false;  ///< At distance d, thread d adds nothing.
};

/// One tile of which each thread has `piece` elements, and adds the sums of the threads before them.
Model OfSteps(const Steps& steps, std::size_t piece) {
  return [=](std::span<const int> input) {
    // Sums of other elements than a tile's first ones might not fit into an int.
    std::vector<unsigned> sums(steps.threads);
    for (std::size_t i = 0; i < input.size(); ++i) sums[i / piece] += static_cast<unsigned>(input[i]);
    for (std::size_t distance = 1; distance < steps.end; distance *= 2) {
      const std::vector<unsigned> before = sums;
      for (std::size_t t = distance + (steps.leaves_out_first ? 1 : 0); t < sums.size(); ++t)
        sums[t] += before[t - distance];
    }
    std::vector<int> all = reference::Scan(input, piece);
    for (std::size_t i = piece; i < all.size(); ++i)
      all[i] = static_cast<int>(static_cast<unsigned>(all[i]) + sums[i / piece - 1]);
    return all;
  };
}

/// The steps of a block end too early, or leave out the thread whose only partner is thread 0.
bool FindMissingSteps(All all, Found& found) {
  constexpr std::size_t kMostOfAThread = 64;
  const Evidence* shortest = ShortestWrong(all);
  if (shortest == nullptr) return false;
  const std::size_t first = FirstWrong(*shortest), threads = ThreadsOfBlock(*shortest);
  for (std::size_t piece = 1; piece <= kMostOfAThread; ++piece) {
    if (first % piece != 0) continue;
    const auto follows = [&](const Steps& steps) {
      return Follows(all, OfSteps(steps, piece), 0, piece * threads);
    };
    if (const Evidence* e = follows({threads, threads, true})) {
      AddFact(found, In(*e, say::scan_partner_left_out()));
      return true;
    }
    for (std::size_t end = 2; 2 * end <= threads; end *= 2) {
      const Evidence* e = follows({threads, end, false});
      if (e == nullptr) continue;
      AddFact(found, In(*e, say::scan_steps_end_early(end, threads)));
      return true;
    }
  }
  return false;
}

/// Of each tile before, only the first elements are counted.
Model OfFirstElements(std::size_t tile, std::size_t counted) {
  return [=](std::span<const int> input) {
    const std::vector<int> own = reference::Scan(input, tile);
    std::vector<int> sums = own;
    unsigned before = 0;
    for (std::size_t i = tile; i < sums.size(); ++i) {
      if (i % tile == 0) before += static_cast<unsigned>(own[i - tile + counted - 1]);
      sums[i] = static_cast<int>(static_cast<unsigned>(own[i]) + before);
    }
    return sums;
  };
}

/// The sum of a tile is not that of its last thread, but of one before.
bool FindSumOfOtherThread(All all, Found& found) {
  const Evidence* shortest = ShortestWrong(all);
  if (shortest == nullptr) return false;
  const std::size_t tile = FirstWrong(*shortest), threads = ThreadsOfBlock(*shortest);
  if (tile == 0 || tile % threads != 0) return false;
  const std::vector<int> sums = reference::Scan(shortest->input);
  const auto before = static_cast<int>(static_cast<unsigned>(shortest->output[tile]) -
                                       static_cast<unsigned>(shortest->input[tile]));
  for (std::size_t counted = tile / threads; counted < tile; counted += tile / threads) {
    if (sums[counted - 1] != before) continue;
    const Evidence* e = Follows(all, OfFirstElements(tile, counted), tile);
    if (e == nullptr) continue;
    AddFact(found, In(*e, say::scan_sum_of_first_elements(say::Count(counted, "element"), tile)));
    return true;
  }
  return false;
}

/// The first sums are right, and none of the others was stored.
void FindUnwritten(All all, Found& found) {
  const auto is_cut_off = [](const Evidence& e) {
    return HasValues(e) && IsWrong(e) &&
           std::all_of(e.output.begin() + static_cast<std::ptrdiff_t>(FirstWrong(e)), e.output.end(),
                       IsPoisonInt);
  };
  // In a short input, all may be missing: a call with right sums shows more.
  const Evidence* seen =
      FirstWith(all, [&](const Evidence& e) { return is_cut_off(e) && FirstWrong(e) > 0; });
  if (seen == nullptr) seen = FirstWith(all, is_cut_off);
  if (seen == nullptr) return;
  const std::size_t first = FirstWrong(*seen), length = seen->input.size();
  AddFact(found, say::scan_last_unwritten.id,
          In(*seen, first == 0 ? say::scan_none_stored(length) : say::scan_last_unwritten(first, length)));
}

/// Many tiles are right, and from one of them on none is: the second kernel has handled no more sums.
void FindFirstPart(All all, Found& found) {
  constexpr std::size_t kLeastTile = 32;
  const Evidence* longest = LongestWrong(all);
  if (longest == nullptr) return;
  const std::size_t right = FirstWrong(*longest);
  const auto agrees = [&](const Evidence& e) {
    return !HasValues(e) || (IsWrong(e) ? FirstWrong(e) == right : e.input.size() <= right);
  };
  if (right >= kManyTiles && right % kLeastTile == 0 && std::ranges::all_of(all, agrees))
    AddFact(found, In(*longest, say::scan_first_part_right(right)));
}

/// A float has 24 bits for its digits: only large sums are wrong, and only a little. Errors of many threads
/// add up.
bool IsRounded(const Evidence& e) {
  const std::vector<int> right = reference::Scan(e.input);
  return std::ranges::equal(
      e.output, right, [](std::int64_t here, std::int64_t sum) { return std::abs(here - sum) <= 1 << 18; });
}

void FindRounded(All all, Found& found) {
  const auto is_large = [](const Evidence& e) {
    return std::ranges::any_of(reference::Scan(e.input), [](int sum) { return sum > 1 << 24; });
  };
  if (std::ranges::any_of(all,
                          [&](const Evidence& e) { return IsWrong(e) && !(is_large(e) && IsRounded(e)); }))
    return;
  if (const Evidence* e =
          FirstWith(all, [](const Evidence& each) { return HasValues(each) && IsWrong(each); }))
    AddFact(found, In(*e, say::scan_rounded()));
}

void FindWrongValues(All all, Found& found) {
  const Evidence* longest = LongestWrong(all);
  if (longest == nullptr) return;
  if (const Evidence* e = Follows(all, Exclusive)) {
    AddFact(found, In(*e, say::scan_exclusive()));
    return;
  }
  if (FindExclusiveInATile(all, found)) return;
  FindRounded(all, found);
  if (found.empty()) FindPieces(all, *longest, found);
  if (found.empty() && !FindMissingSteps(all, found)) FindSumOfOtherThread(all, found);
  if (found.empty()) FindUnwritten(all, found);
  if (found.empty()) FindFirstPart(all, found);
}

// --- Counts, where every value is right. ------------------------------------------------------------------

double ActiveLanes(const Counts& counts) {
  return static_cast<double>(counts.thread_instructions) /
         static_cast<double>(std::max<std::uint64_t>(counts.warp_instructions, 1));
}

/// Where a copy writes the output, that is what all tests have in common: few of them fail for their loads.
void AddLoadedAgain(const Evidence& e, Found& found) {
  const std::uint64_t of_arrays =
      (TrafficOf(e.result, "input").load_bytes + TrafficOf(e.result, "output").load_bytes) / sizeof(int);
  // Each element of input once, and of output once for the sum of the tiles before.
  const bool are_sums = of_arrays >= e.input.size() && of_arrays <= 5 * e.input.size() / 2;
  const Message seen = In(e, are_sums ? say::scan_sums_loaded_again(Loaded(e.result) - of_arrays, of_arrays)
                                      : say::scan_loaded_again(Loaded(e.result), e.input.size()));
  const bool is_copied =
      e.result.reason.Mentions(say::all_copied.id) || e.result.reason.Mentions(say::some_copied.id);
  if (is_copied) {
    AddFactOf(found, seen, e.test);
  } else {
    AddFact(found, seen);
  }
}

/// Of the launch with the most barriers: how many each of its warps passes, and for how many elements. With
/// fewer elements per thread than the hints have, hardly any number of barriers would do.
Message BarriersOfABlock(const Evidence& e) {
  constexpr std::uint64_t kEnoughElements = 8;
  const LaunchRecord& launch = *std::ranges::max_element(
      e.result.launches, {}, [](const LaunchRecord& each) { return each.totals.barriers; });
  const std::uint64_t blocks = std::max<std::uint64_t>(launch.grid.Volume(), 1);
  const std::uint64_t threads = std::max<std::uint64_t>(launch.block.Volume(), 1);
  const std::uint64_t warps = (threads + 31) / 32 * blocks;
  const std::uint64_t barriers = (launch.totals.barriers + warps / 2) / warps;
  const std::uint64_t elements = (e.input.size() + blocks - 1) / blocks;
  const std::uint64_t of_thread = (elements + threads - 1) / threads;
  if (of_thread < kEnoughElements) return say::scan_few_elements(say::Count(of_thread, "element"), barriers);
  return say::scan_many_barriers(barriers, elements);
}

/// The cause comes first: elements that are loaded again, threads that wait for one, and threads without
/// enough elements also break other limits.
void FindByCounts(const Evidence& e, Found& found) {
  const std::size_t length = e.input.size();
  const Limits limits = LimitsOf(length);
  const Counts counts = TotalCounts(e.result);
  const bool works_too_much = counts.warp_instructions > limits.instructions;
  if (Loaded(e.result) > 5 * length) {
    AddLoadedAgain(e, found);
  } else if (works_too_much && ActiveLanes(counts) < kFewLanes) {
    AddFact(found, In(e, say::scan_few_lanes(OneDecimal(ActiveLanes(counts)))));
  } else if (counts.barriers > limits.barriers && Threads(e.result) >= length) {
    AddFact(found, In(e, say::scan_many_threads(Threads(e.result), length)));
  } else if (counts.barriers > limits.barriers) {
    AddFact(found, In(e, BarriersOfABlock(e)));
  } else if (works_too_much) {
    AddFact(found, In(e, say::scan_many_instructions(counts.warp_instructions)));
  }
  if (!found.empty()) return;
  const std::uint64_t loaded = SectorsLoaded(counts), stored = SectorsStored(counts);
  if (loaded > limits.sectors && stored > limits.sectors) {
    AddFact(found, In(e, say::scan_many_sectors_of_both(loaded, stored, length)));
  } else if (loaded > limits.sectors) {
    AddFact(found, In(e, say::scan_many_sectors(loaded, length)));
  } else if (stored > limits.sectors) {
    AddFact(found, In(e, say::scan_many_sectors_stored(stored, length)));
  }
}

void FindByOrder(All all, Found& found) {
  const auto needs_order = [](const Evidence& e) {
    return Completed(e.result) && NeedsOrder(e.result, e.input.size());
  };
  const Evidence* first = FirstWith(all, needs_order);
  if (first == nullptr) return;
  Fact& fact = AddFact(found, In(*first, say::scan_needs_order()));
  // With few blocks only another order of them shows it.
  for (const Evidence& e : all) {
    const bool shows = needs_order(e) || say::stored_by_order.Made(e.result.reason);
    if (shows && HasFailed(e.result)) fact.tests.push_back(e.test);
  }
}

/// Work that grows with the square of the length stops the long tests, so that a shorter one has to tell.
void FindSquare(All all, Found& found) {
  const Evidence* e = FirstWith(all, [](const Evidence& each) {
    return each.input.size() >= kManyTiles && Completed(each.result) &&
           Loaded(each.result) > kLoadsOfSquare * each.input.size();
  });
  if (e != nullptr) AddLoadedAgain(*e, found);
}

}  // namespace

void NameRacesPastFlags(TestResult& result) {
  for (Finding& finding : result.findings) {
    if (!say::race_of_blocks.Made(finding.message) || BothStore(finding) || !IsPastFlag(result, finding))
      continue;
    const std::vector<Argument> said = finding.message.arguments();
    const Message named =
        say::scan_race_past_flag(said.at(0).inner.at(0), said.at(1).inner.at(0), said.at(2).inner.at(0));
    if (result.reason == say::in_line(finding.where.line, finding.message))
      result.reason = say::in_line(finding.where.line, named);
    finding.message = named;
  }
}

Limits LimitsOf(std::size_t length) {
  return {length / 8, 7 * length / 2, 20 * length / 32};
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t most = 0;
  for (const LaunchRecord& launch : result.launches)
    most = std::max(most, launch.grid.Volume() * launch.block.Volume());
  return most;
}

std::uint64_t Loaded(const TestResult& result) {
  return TotalCounts(result).global_load_bytes / sizeof(int);
}

bool NeedsOrder(const TestResult& result, std::size_t length) {
  const LaunchRecord* scans = nullptr;
  for (const LaunchRecord& launch : result.launches) {
    if (launch.totals.global_load_bytes == 0) continue;
    if (scans != nullptr) return false;
    scans = &launch;
  }
  if (scans == nullptr || scans->grid.Volume() < 3) return false;
  const Counts& counts = scans->totals;
  const std::uint64_t blocks = scans->grid.Volume(), atomics = counts.global_atomic_requests;
  return counts.global_load_bytes <= length * sizeof(int) && atomics + 1 >= blocks && atomics <= blocks;
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  if (FindBy(
          all, [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; },
          say::scan_different_barriers(), found)) {
    return found;
  }
  if (FindReturns(all, say::scan_returned(), found)) return found;
  FindInMemory(all, found);
  if (found.empty()) FindEndlessWait(all, found);
  if (found.empty()) FindWrongValues(all, found);
  if (found.empty()) FindUnset(all, found);
  // Work that grows with the square of the length looks endless in the longest test.
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    const bool looks_endless =
        e.input.size() > kLongLength && HasFinding(e.result, FindingKind::kEndlessLoop);
    return e.input.empty() || looks_endless || (!IsWrong(e) && !HasError(e.result));
  });
  if (!found.empty() || !right) return found;
  FindByOrder(all, found);
  // A limit is graded in a test of its own: the report shows this test's numbers.
  for (const bool failed : {true, false}) {
    for (const Evidence& e : all) {
      if (!found.empty()) return found;
      if ((e.result.verdict != Verdict::kPassed) != failed) continue;
      if (e.input.size() < kLongLength || !Completed(e.result)) continue;
      FindByCounts(e, found);
      // Work that grows with the square of the length also stops the longest call.
      const bool grows =
          !found.empty() && found.back().tests.empty() && Loaded(e.result) > kLoadsOfSquare * e.input.size();
      const auto is_stopped = [](const Evidence& each) {
        return each.input.size() > kLongLength && each.result.verdict == Verdict::kTimeLimit;
      };
      if (!grows || std::ranges::none_of(all, is_stopped)) continue;
      for (const Evidence& each : all) {
        if (each.input.size() >= kLongLength && HasFailed(each.result))
          found.back().tests.push_back(each.test);
      }
    }
  }
  if (found.empty()) FindSquare(all, found);
  return found;
}

}  // namespace warplings::scan
