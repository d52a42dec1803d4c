// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/07_where_it_recurs/merge_evidence.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>

#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "reference/merge.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/recognise.h"

namespace warplings::merge {
namespace {

using recurs::FailedFirst;
using recurs::FindBy;
using recurs::FindInEach;
using recurs::FindReturns;

using All = std::span<const Evidence>;
using Found = std::vector<Fact>;
using IsIt = std::function<bool(const Finding&)>;

/// With one thread that merges a tile, and a whole block that loads and stores it, it is 2 of 32.
constexpr double kFewLanes = 8;
/// A block with fewer elements searches for few.
constexpr std::uint64_t kFewElements = 512;
/// As many elements are not merged in the tests that are about lengths.
constexpr std::size_t kManyElements = 100'000;

Message In(const Evidence& e, const Message& what) {
  return say::of_test(e.test, what);
}

bool IsWrong(const Evidence& e) {
  return e.result.wrong_count > 0;
}

/// Every thread came to its end, and nothing is wrong but values.
bool HasValues(const Evidence& e) {
  const auto is_not_unwritten = [](const Finding& finding) {
    return finding.severity == Severity::kError && finding.object != "output";
  };
  return Completed(e.result) && Returned(e.result) && !e.output.empty() &&
         std::ranges::none_of(e.result.findings, is_not_unwritten);
}

bool IsWrongInValues(const Evidence& e) {
  return IsWrong(e) && HasValues(e);
}

// --- Findings. -------------------------------------------------------------------------------------------

/// Of races in shared memory: merged elements that are stored over the tile come below the line that reads.
bool IsStoredOver(const Finding& finding) {
  if (!NeedsABarrier(finding)) return false;
  const RacingLines lines = LinesOfRace(finding);
  return lines.store >= lines.read;
}

bool IsReadEarly(const Finding& finding) {
  return NeedsABarrier(finding) && !IsStoredOver(finding);
}

bool IsGlobalRace(const Finding& finding) {
  return finding.kind == FindingKind::kRace && finding.space == MemorySpace::kGlobal;
}

bool IsOfAnotherBlock(const Finding& finding) {
  return finding.object != "output" && IsGlobalRace(finding);
}

bool IsStoredTwice(const Finding& finding) {
  return finding.object == "output" && IsGlobalRace(finding) && BothStore(finding);
}

bool IsOutsideOfInputs(const Finding& finding) {
  return finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kRead &&
         finding.space == MemorySpace::kGlobal && finding.object != "output";
}

/// One element past the end. A search that is not limited reads anywhere.
bool IsJustBehind(const Finding& finding) {
  return IsOutsideOfInputs(finding) && finding.offset_bytes == finding.object_bytes;
}

bool IsOutsideOfShared(const Finding& finding) {
  return finding.kind == FindingKind::kOutOfBounds && finding.space == MemorySpace::kShared;
}

bool IsReadBeforeShared(const Finding& finding) {
  return IsOutsideOfShared(finding) && finding.access == Access::kRead && finding.offset_bytes < 0;
}

/// A line that stores to shared memory, too, loads a tile. A search only reads.
bool IsTileLoad(const Evidence& e, const Finding& finding) {
  return std::ranges::any_of(e.result.launches, [&](const LaunchRecord& launch) {
    return std::ranges::any_of(launch.lines, [&](const LineCounts& line) {
      return line.where == finding.where && line.counts.shared_store_requests > 0;
    });
  });
}

bool FindTileLoad(All all, const IsIt& is_far, Found& found) {
  const Evidence* seen =
      FirstWith(all, [&](const Evidence& e) { return std::ranges::any_of(e.result.findings, is_far); });
  if (seen == nullptr) return false;
  const auto is_load = [&](const Finding& finding) { return is_far(finding) && IsTileLoad(*seen, finding); };
  return std::ranges::any_of(seen->result.findings, is_load) &&
         FindBy(All(seen, 1), is_load, say::merge_loads_far(), found);
}

/// How many elements each block merges: the multiple of its threads with which the launches of all tests have
/// as many blocks as they need; 0 if there is none.
std::size_t TileOf(All all) {
  constexpr std::size_t kMostEach = 64;
  for (std::size_t each = 1; each <= kMostEach; ++each) {
    std::size_t tile = 0;
    const bool fits = std::ranges::all_of(all, [&](const Evidence& e) {
      if (e.length() == 0 || e.result.launches.empty()) return true;
      const LaunchRecord& launch = e.result.launches.back();
      const std::size_t own = each * launch.block.Volume();
      if (tile != 0 && tile != own) return false;
      tile = own;
      return launch.grid.Volume() == (e.length() + tile - 1) / tile;
    });
    if (fits && tile != 0) return tile;
  }
  return 0;
}

/// How many of the first elements of output come from a.
std::size_t CountFromA(const Evidence& e, std::size_t taken) {
  std::size_t low = taken - std::min(taken, e.b.size()), high = std::min(taken, e.a.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    (e.a[middle] <= e.b[taken - 1 - middle] ? low : high) = middle + (e.a[middle] <= e.b[taken - 1 - middle]);
  }
  return low;
}

/// The elements that a block's tile takes from a and from b.
struct Parts {
  std::size_t a_begin = 0, a_count = 0, b_begin = 0, b_count = 0;
};

/// Nothing for a block past the end of output.
std::optional<Parts> PartsOf(const Evidence& e, std::size_t tile, std::size_t block) {
  const std::size_t first = block * tile, end = std::min(first + tile, e.length());
  if (first >= end) return std::nullopt;
  const std::size_t a_begin = CountFromA(e, first), a_count = CountFromA(e, end) - a_begin;
  return Parts{a_begin, a_count, first - a_begin, end - first - a_count};
}

/// Ints that lines load from global memory, or would load outside an array, that also store to shared memory;
/// 0 if nothing is known of them.
std::uint64_t LoadedIntoTiles(const Evidence& e) {
  std::uint64_t bytes = 0;
  for (const LaunchRecord& launch : e.result.launches) {
    for (const LineCounts& line : launch.lines) {
      if (line.counts.shared_store_requests > 0) bytes += line.counts.global_load_bytes;
    }
  }
  std::uint64_t outside = 0;
  for (const Finding& finding : e.result.findings) {
    const bool is_read = finding.kind == FindingKind::kOutOfBounds && finding.access == Access::kRead &&
                         finding.space == MemorySpace::kGlobal;
    if (is_read && IsTileLoad(e, finding)) outside += finding.count;
  }
  return bytes == 0 ? 0 : bytes / sizeof(int) + outside;
}

/// A block loads an element that lies a whole tile past the one its part begins at, or before it: where the
/// part begins is wrong, and not where it ends. A search that reads outside finds any beginning. If it lies
/// nearer, but all tiles together load no more than there is, too many elements of one array take the place
/// of the other's: it is no loop that goes too far in the last tile.
bool FindPartElsewhere(All all, const IsIt& is_far, Found& found) {
  const std::size_t tile = TileOf(all);
  const bool searches_outside = std::ranges::any_of(all, [](const Evidence& e) {
    return std::ranges::any_of(e.result.findings, [&](const Finding& finding) {
      return IsOutsideOfInputs(finding) && !IsTileLoad(e, finding);
    });
  });
  if (tile == 0 || searches_outside) return false;
  const Evidence* seen = nullptr;
  bool is_seen_elsewhere = false;
  for (const Evidence& e : all) {
    const std::uint64_t loaded = LoadedIntoTiles(e);
    const bool loads_no_more = loaded > 0 && loaded <= e.length() && Completed(e.result);
    for (const Finding& finding : e.result.findings) {
      const bool is_of_a = finding.object == "a";
      if (!is_far(finding) || !IsTileLoad(e, finding) || (!is_of_a && finding.object != "b")) continue;
      const std::optional<Parts> parts = PartsOf(e, tile, finding.block.x);
      if (!parts) continue;
      const std::size_t begin = is_of_a ? parts->a_begin : parts->b_begin;
      const std::int64_t element = finding.offset_bytes / static_cast<std::int64_t>(sizeof(int));
      const std::int64_t past = element - static_cast<std::int64_t>(begin);
      const bool is_elsewhere = past < 0 || past >= static_cast<std::int64_t>(tile);
      if (!is_elsewhere && !loads_no_more) continue;
      if (seen != nullptr && (is_seen_elsewhere > is_elsewhere ||
                              (is_seen_elsewhere == is_elsewhere && seen->length() <= e.length())))
        continue;
      seen = &e;
      is_seen_elsewhere = is_elsewhere;
      found.clear();
      const say::Count count(is_of_a ? parts->a_count : parts->b_count, "element");
      const auto& row = is_elsewhere ? say::merge_part_elsewhere : say::merge_part_assumed;
      Fact& fact = AddFact(found, In(e, row(finding.block.x, is_of_a ? "a" : "b", element, count, begin)));
      ShowFinding(fact, e.result, [&](const Finding& each) { return &each == &finding; });
      break;
    }
  }
  return seen != nullptr;
}

void FindReadsOutside(All all, Found& found) {
  const auto far = [](const Finding& finding) {
    return IsOutsideOfInputs(finding) && !IsJustBehind(finding);
  };
  if (!FindPartElsewhere(all, far, found) && !FindTileLoad(all, far, found) &&
      !FindBy(all, far, say::merge_reads_far(), found)) {
    FindBy(all, IsJustBehind, say::merge_reads_behind(), found);
  }
}

bool AreEqualElementsShared(const Evidence& e) {
  std::vector<int> both;
  std::ranges::set_intersection(e.a, e.b, std::back_inserter(both));
  return !both.empty();
}

/// Whether the test's own elements show it. A test makes other calls, too, with elements that nobody keeps.
bool HasUnwrittenShared(const Evidence& e) {
  return HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared) &&
         !e.result.reason.Mentions(say::in_call_with_other_elements.id);
}

void AddTestsWithUnwritten(All all, Fact& fact) {
  for (const Evidence& e : all) {
    if (HasFailed(e.result) && HasFinding(e.result, FindingKind::kUninitialised, MemorySpace::kShared))
      fact.tests.push_back(e.test);
  }
}

/// In an array with room for a tile and no more, elements lie past those that the block's tile has: nothing
/// is there to store. The shortest test that shows it, if no test reads an unwritten element before them.
bool FindReadPastTile(All all, Found& found) {
  const auto tile = static_cast<std::int64_t>(TileOf(all));
  const Evidence* seen = nullptr;
  const Finding* first = nullptr;
  std::size_t count = 0;
  for (const Evidence& e : all) {
    for (const Finding& finding : e.result.findings) {
      if (!InShared(FindingKind::kUninitialised)(finding)) continue;
      const std::optional<Parts> parts =
          tile == 0 ? std::nullopt : PartsOf(e, static_cast<std::size_t>(tile), finding.block.x);
      if (!parts || finding.object_bytes != tile * static_cast<std::int64_t>(sizeof(int))) return false;
      const std::size_t own = parts->a_count + parts->b_count;
      if (finding.offset_bytes < static_cast<std::int64_t>(own * sizeof(int))) return false;
      if (seen != nullptr && seen->length() <= e.length()) continue;
      seen = &e;
      first = &finding;
      count = own;
    }
  }
  if (seen == nullptr) return false;
  Fact& fact = AddFact(found, In(*seen, say::merge_reads_past_tile(
                                            first->block.x, say::Count(count, "element"),
                                            static_cast<std::uint64_t>(first->offset_bytes) / sizeof(int))));
  ShowFinding(fact, seen->result, [&](const Finding& each) { return &each == first; });
  AddTestsWithUnwritten(all, found.back());
  return true;
}

/// Each thread stores one element, and the first one after these is read.
bool FindStoredOnce(All all, Found& found) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    const auto unset = std::ranges::find_if(e.result.findings, InShared(FindingKind::kUninitialised));
    if (unset == e.result.findings.end() || (seen != nullptr && seen->length() <= e.length())) continue;
    seen = &e;
  }
  if (seen == nullptr || seen->result.launches.empty()) return false;
  const std::uint64_t threads = seen->result.launches.back().block.Volume();
  const IsIt is_next = [&](const Finding& finding) {
    return InShared(FindingKind::kUninitialised)(finding) && threads >= 32 &&
           finding.offset_bytes == static_cast<std::int64_t>(threads * sizeof(int)) &&
           finding.object_bytes > finding.offset_bytes;
  };
  if (!FindBy(All(seen, 1), is_next, say::merge_stored_once(threads, say::Count(threads, "thread")), found))
    return false;
  AddTestsWithUnwritten(all, found.back());
  return true;
}

/// If only tests with equal elements show it, two of these were stored in one place, and another stayed
/// empty.
void FindUnwrittenShared(All all, Found& found) {
  const IsIt is_it = InShared(FindingKind::kUninitialised);
  bool are_equal = true, differ_elsewhere = false;
  for (const Evidence& e : all) {
    if (HasUnwrittenShared(e)) {
      are_equal = are_equal && AreEqualElementsShared(e);
    } else if (!e.a.empty() && !e.b.empty() && Completed(e.result)) {
      differ_elsewhere = differ_elsewhere || !AreEqualElementsShared(e);
    }
  }
  const Evidence* own = FirstWith(all, HasUnwrittenShared);
  if (own == nullptr || !are_equal || !differ_elsewhere) {
    if (!FindReadPastTile(all, found) && !FindStoredOnce(all, found))
      FindInEach(all, is_it, say::merge_tile_read(), found);
    return;
  }
  FindBy(All(own, 1), is_it, say::merge_tile_collisions(), found);
  AddTestsWithUnwritten(all, found.back());
}

bool IsStoredOutsideOfShared(const Finding& finding) {
  return IsOutsideOfShared(finding) && finding.access == Access::kWrite;
}

/// A tile is loaded past the end of an array that has room for it: all elements of a tile come from a and b
/// together, and are as many as it has of output.
bool FindStoredPastRoom(All all, Found& found) {
  const auto tile = static_cast<std::int64_t>(TileOf(all));
  const auto is_room = [&](const Finding& finding) {
    return tile != 0 && IsStoredOutsideOfShared(finding) && finding.offset_bytes >= finding.object_bytes &&
           finding.object_bytes >= tile * static_cast<std::int64_t>(sizeof(int));
  };
  const auto is_load = [](const Evidence& e, const Finding& finding) {
    return std::ranges::any_of(e.result.launches, [&](const LaunchRecord& launch) {
      return std::ranges::any_of(launch.lines, [&](const LineCounts& line) {
        return line.where == finding.where && line.counts.global_load_bytes > 0;
      });
    });
  };
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (seen != nullptr && seen->length() <= e.length()) continue;
    for (const Finding& finding : e.result.findings) {
      if (!is_room(finding) || !is_load(e, finding)) continue;
      const std::optional<Parts> parts = PartsOf(e, static_cast<std::size_t>(tile), finding.block.x);
      if (!parts) continue;
      seen = &e;
      found.clear();
      const auto index = static_cast<std::uint64_t>(finding.offset_bytes) / sizeof(int);
      const say::Count room(static_cast<std::uint64_t>(finding.object_bytes) / sizeof(int), "element"),
          of_a(parts->a_count, "element");
      Fact& fact = AddFact(
          found, In(e, say::merge_stores_past_room(finding.block.x, index, room, of_a, parts->b_count)));
      ShowFinding(fact, e.result, [&](const Finding& each) { return &each == &finding; });
      break;
    }
  }
  return seen != nullptr;
}

void FindStoredOutsideOfShared(All all, Found& found) {
  if (!FindStoredPastRoom(all, found))
    FindBy(all, IsStoredOutsideOfShared, say::merge_stores_outside_tile(), found);
}

/// Neither a, b nor output, but an array that the submission made: in it the borders of the tiles are kept.
bool IsOfOwnArray(const Finding& finding) {
  return finding.space == MemorySpace::kGlobal && !finding.object.empty() && finding.object != "a" &&
         finding.object != "b" && finding.object != "output";
}

bool IsOutsideOwnArray(const Finding& finding) {
  return finding.kind == FindingKind::kOutOfBounds && IsOfOwnArray(finding);
}

bool IsOwnArrayUnwritten(const Finding& finding) {
  return finding.kind == FindingKind::kUninitialised && IsOfOwnArray(finding);
}

/// The first error of a test. A device finds them in the order in which they happen, and what follows an
/// access outside an array may be its effect: a border that is garbage, or one that was stored over.
const Finding* FirstError(const Evidence& e) {
  const auto first = std::ranges::find(e.result.findings, Severity::kError, &Finding::severity);
  return first == e.result.findings.end() ? nullptr : &*first;
}

/// Most tests with errors begin with one that `is_it`.
bool MostBeginWith(All all, const IsIt& is_it) {
  std::ptrdiff_t with = 0, without = 0;
  for (const Evidence& e : all) {
    if (const Finding* first = FirstError(e)) ++(is_it(*first) ? with : without);
  }
  return with > without;
}

/// Says why the array is too small, if its sizes do: declared, or as large in calls of other lengths.
void FindOutsideOwnArray(All all, Found& found) {
  const Evidence* seen = nullptr;
  const Finding* first = nullptr;
  bool is_kept = false;
  for (const Evidence& e : all) {
    const auto outside = std::ranges::find_if(e.result.findings, IsOutsideOwnArray);
    if (outside == e.result.findings.end()) continue;
    if (seen == nullptr) {
      seen = &e;
      first = &*outside;
    } else if (e.length() != seen->length()) {
      if (outside->object_bytes != first->object_bytes) {
        FindBy(all, IsOutsideOwnArray, say::merge_outside_borders(), found);
        return;
      }
      is_kept = true;
    }
  }
  if (seen == nullptr) return;
  const say::Count bytes(static_cast<std::uint64_t>(first->object_bytes), "byte");
  // Of an allocation only the kernel's parameter is known that points to it.
  const bool is_declared = !say::argument.Made(first->object);
  FindBy(all, IsOutsideOwnArray,
         is_declared ? say::merge_outside_declared(bytes)
         : is_kept   ? say::merge_outside_kept(first->object, bytes)
                     : say::merge_outside_borders(),
         found);
}

/// With one tile, the array has the place for its beginning and, after that, for its end.
void FindUnwrittenBorder(All all, Found& found) {
  bool is_end = true, has_one_tile = false;
  for (const Evidence& e : all) {
    const auto first = std::ranges::find_if(e.result.findings, IsOwnArrayUnwritten);
    const auto has_one_block = [](const LaunchRecord& launch) { return launch.grid.Volume() == 1; };
    if (first == e.result.findings.end() || !std::ranges::all_of(e.result.launches, has_one_block)) continue;
    has_one_tile = true;
    is_end = is_end && first->offset_bytes == sizeof(int) && first->object_bytes == 2 * sizeof(int);
  }
  is_end = is_end && has_one_tile;
  FindBy(all, IsOwnArrayUnwritten, is_end ? say::merge_end_unwritten() : say::merge_border_unwritten(),
         found);
}

/// Past the end of an array in shared memory; and no line above stores what another thread reads too early.
/// What is stored past the end may lie in another array, and makes races there.
bool BeginsOutsideOfShared(All all) {
  const auto is_past_end = [](const Finding& finding) {
    return IsStoredOutsideOfShared(finding) && finding.offset_bytes >= finding.object_bytes;
  };
  const auto races_elsewhere = [&](const Evidence& e) {
    const Finding* first = FirstError(e);
    return std::ranges::any_of(e.result.findings, [&](const Finding& finding) {
      return IsReadEarly(finding) && LinesOfRace(finding).store < first->where.line;
    });
  };
  return MostBeginWith(all, is_past_end) && std::ranges::none_of(all, races_elsewhere);
}

/// What is read outside the arrays is garbage, and threads that compute with it race in shared memory, too.
void FindInMemory(All all, Found& found) {
  if (FindBy(all, IsOfAnotherBlock, say::merge_blocks_race(), found)) return;
  if (MostBeginWith(all, IsOutsideOwnArray)) {
    FindOutsideOwnArray(all, found);
    return;
  }
  if (MostBeginWith(all, IsOwnArrayUnwritten)) {
    FindUnwrittenBorder(all, found);
    return;
  }
  if (BeginsOutsideOfShared(all)) {
    FindStoredOutsideOfShared(all, found);
    return;
  }
  const bool reads_garbage = std::ranges::any_of(
      all, [](const Evidence& e) { return std::ranges::any_of(e.result.findings, IsOutsideOfInputs); });
  if (!reads_garbage) FindStoredOutsideOfShared(all, found);
  if (!found.empty()) return;
  if (FindBy(all, IsReadEarly, say::merge_read_early(), found)) return;
  // A border that nobody has stored is garbage, and so is each index that comes of it.
  if (MostBeginWith(all, InShared(FindingKind::kUninitialised))) {
    FindUnwrittenShared(all, found);
    return;
  }
  if (FindBy(all, Outside("output", Access::kWrite), say::merge_stores_behind(), found)) return;
  FindReadsOutside(all, found);
  if (!found.empty() || FindBy(all, IsStoredOver, say::merge_stored_over(), found)) return;
  // No array of a tile ends before its first element: some index is below zero, and its line says which.
  if (MostBeginWith(all, IsReadBeforeShared)) return;
  if (FindBy(all, IsOutsideOfShared, say::merge_outside_tile(), found)) return;
  FindUnwrittenShared(all, found);
}

// --- Values. ---------------------------------------------------------------------------------------------

std::size_t FirstWrong(const Evidence& e) {
  return static_cast<std::size_t>(std::ranges::mismatch(e.output, reference::Merge(e.a, e.b)).in1 -
                                  e.output.begin());
}

bool IsUnwritten(const Evidence& e) {
  return std::ranges::any_of(e.output, IsPoisonInt);
}

/// The shortest test with wrong values for which `is_it`.
template <class Predicate>
const Evidence* ShortestWrong(All all, const Predicate& is_it) {
  const Evidence* seen = nullptr;
  for (const Evidence& e : all) {
    if (IsWrongInValues(e) && is_it(e) && (seen == nullptr || e.length() < seen->length())) seen = &e;
  }
  return seen;
}

/// All tests with values are wrong if `is_it`, and right if not.
template <class Predicate>
bool AreWrongExactly(All all, const Predicate& is_it) {
  return std::ranges::all_of(all, [&](const Evidence& e) { return !HasValues(e) || IsWrong(e) == is_it(e); });
}

/// The ranks of equal elements of a and b are the same, so that both are stored in one place.
bool FindCollisions(All all, Found& found) {
  const auto collides = [](const Evidence& e) { return IsWrongInValues(e) && IsUnwritten(e); };
  const Evidence* e = FirstWith(all, collides);
  if (e == nullptr || !AreWrongExactly(all, AreEqualElementsShared)) return false;
  AddFact(found, In(*e, say::merge_collisions()));
  return true;
}

/// The first elements are right, and none of the others was stored.
bool EndsEarly(const Evidence& e) {
  return IsWrongInValues(e) && std::all_of(e.output.begin() + static_cast<std::ptrdiff_t>(FirstWrong(e)),
                                           e.output.end(), IsPoisonInt);
}

/// It ends where all elements of one array have been stored.
bool EndsWithAnArray(const Evidence& e) {
  const std::vector<int> right = reference::Merge(e.a, e.b);
  const std::span<const int> rest = std::span(right).subspan(FirstWrong(e));
  const auto is_end_of = [&](std::span<const int> array) {
    return rest.size() <= array.size() && std::ranges::equal(rest, array.last(rest.size()));
  };
  return EndsEarly(e) && (is_end_of(e.a) || is_end_of(e.b));
}

/// When one of them is taken, only the other's rest is left.
bool IsOneEach(const Evidence& e) {
  return e.a.size() == 1 && e.b.size() == 1;
}

void FindUnwritten(All all, Found& found) {
  const Evidence* seen = ShortestWrong(all, IsUnwritten);
  if (seen == nullptr) return;
  const auto all_obey = [&](const auto& is_it) {
    return std::ranges::all_of(all, [&](const Evidence& e) { return !IsWrongInValues(e) || is_it(e); });
  };
  if (all_obey(EndsEarly) && !all_obey(EndsWithAnArray)) {
    const std::size_t right = FirstWrong(*seen);
    AddFact(found, In(*seen, say::merge_last_unwritten(right, seen->output.size() - right)));
  } else {
    AddFact(found, In(*seen, IsOneEach(*seen) ? say::merge_rest_unwritten() : say::merge_some_unwritten()));
  }
}

/// One array after the other.
bool IsConcatenated(const Evidence& e) {
  std::vector<int> ab = e.a, ba = e.b;
  ab.insert(ab.end(), e.b.begin(), e.b.end());
  ba.insert(ba.end(), e.a.begin(), e.a.end());
  return e.output == ab || e.output == ba;
}

bool HasTheElements(const Evidence& e) {
  const Contents contents = ContentsOf(e);
  return contents.missing.empty() && contents.unwritten == 0;
}

/// All elements are there, and in order within pieces of this length; 0 if they are not. A single place that
/// is out of order makes no pieces.
std::size_t PieceOf(const Evidence& e) {
  if (!HasTheElements(e)) return 0;
  const std::size_t piece = FirstDescent(e.output) + 1;
  if (piece < 2 || piece >= e.output.size()) return 0;
  std::size_t descents = 0;
  for (std::size_t i = 0; i + 1 < e.output.size(); ++i) {
    if (e.output[i] <= e.output[i + 1]) continue;
    if ((i + 1) % piece != 0) return 0;
    ++descents;
  }
  return descents < 2 ? 0 : piece;
}

bool FindConcatenated(All all, Found& found) {
  const auto differs = [](const Evidence& e) { return HasValues(e) && !IsConcatenated(e); };
  const Evidence* e = ShortestWrong(all, IsConcatenated);
  if (e == nullptr || std::ranges::any_of(all, differs)) return false;
  AddFact(found, In(*e, say::merge_concatenated()));
  return true;
}

bool FindPieces(All all, Found& found) {
  const Evidence* e = ShortestWrong(all, [](const Evidence& each) { return PieceOf(each) != 0; });
  if (e == nullptr) return false;
  AddFact(found, In(*e, say::merge_pieces(PieceOf(*e))));
  return true;
}

/// Whether each element of output is the right one, after it was a float. The largest are rounded to a number
/// that is no int, and a GPU converts that to the largest int.
bool AreRounded(const Evidence& e) {
  return std::ranges::equal(e.output, reference::Merge(e.a, e.b), [](int stored, int right) {
    constexpr double kMost = std::numeric_limits<int>::max();
    return stored == std::min(static_cast<double>(static_cast<float>(right)), kMost);
  });
}

/// Padding, or an element that was changed on its way.
bool FindForeign(All all, Found& found) {
  const Evidence* e =
      ShortestWrong(all, [](const Evidence& each) { return !ContentsOf(each).foreign.empty(); });
  if (e == nullptr) return false;
  if (AreRounded(*e)) {
    const std::vector<int> right = reference::Merge(e->a, e->b);
    const auto [stored, is] = std::ranges::mismatch(e->output, right);
    AddFact(found, In(*e, say::merge_rounded(*is, *stored)));
    return true;
  }
  AddFact(found, In(*e, say::merge_foreign(ContentsOf(*e).foreign.front())));
  return true;
}

/// a and b have elements, and of both signs together.
bool HasBothSigns(const Evidence& e) {
  const auto is_below = [](int value) { return value < 0; };
  const auto count = std::ranges::count_if(e.a, is_below) + std::ranges::count_if(e.b, is_below);
  return !e.a.empty() && !e.b.empty() && count > 0 && static_cast<std::size_t>(count) < e.length();
}

/// As unsigned ints, negative elements are greater than the others. That shows only where there are both: two
/// negative ones are compared well, so that the first element is right where a and b begin with these.
bool AreComparedAsUnsigned(All all) {
  const auto begins_wrongly = [](const Evidence& e) {
    if (!IsWrongInValues(e) || e.a.empty() || e.b.empty() || e.a.front() >= 0 || e.b.front() >= 0)
      return false;
    return FirstWrong(e) == 0;
  };
  return AreWrongExactly(all, HasBothSigns) && std::ranges::none_of(all, begins_wrongly);
}

/// Of two elements, the greater one is stored first.
bool FindReversed(All all, Found& found) {
  const auto is_reversed = [](const Evidence& e) { return IsOneEach(e) && HasTheElements(e); };
  const Evidence* e = ShortestWrong(all, is_reversed);
  if (e == nullptr) return false;
  const bool is_unsigned = e->output[1] < 0 && AreComparedAsUnsigned(all);
  AddFact(found, In(*e, is_unsigned ? say::merge_negative_last(e->output[1], e->output[0])
                                    : say::merge_reversed(e->output[0], e->output[1])));
  return true;
}

bool FindRepeated(All all, Found& found) {
  const auto repeats = [](const Evidence& each) { return !ContentsOf(each).repeated.empty(); };
  const Evidence* e = ShortestWrong(all, repeats);
  if (e == nullptr) return false;
  const Contents contents = ContentsOf(*e);
  const int repeated = contents.repeated.front(), missing = contents.missing.front();
  // There are no neighbouring pieces whose border might be wrong.
  AddFact(found,
          In(*e, IsOneEach(*e) ? say::merge_one_twice(repeated, e->a.front() == repeated ? "a" : "b", missing)
                               : say::merge_repeated(repeated, missing)));
  return true;
}

/// A tile has the elements of a, then those of b. Nobody checks where the first of the two end, so that
/// threads go on with the first elements of b. Each thread has a piece of `each` elements.
std::vector<int> WithoutEndOfA(const Evidence& e, std::size_t each, std::size_t tile) {
  std::vector<int> output;
  for (std::size_t first = 0, i = 0, j = 0; first < e.length(); first += tile) {
    const std::size_t count = std::min(tile, e.length() - first);
    std::vector<int> elements;  // of the tile
    std::vector<std::size_t> taken_from_a;
    const std::size_t i_first = i, j_first = j;
    for (std::size_t k = 0; k < count; ++k) {
      taken_from_a.push_back(i - i_first);
      j == e.b.size() || (i < e.a.size() && e.a[i] <= e.b[j]) ? ++i : ++j;
    }
    elements.insert(elements.end(), e.a.begin() + static_cast<std::ptrdiff_t>(i_first),
                    e.a.begin() + static_cast<std::ptrdiff_t>(i));
    elements.insert(elements.end(), e.b.begin() + static_cast<std::ptrdiff_t>(j_first),
                    e.b.begin() + static_cast<std::ptrdiff_t>(j));
    for (std::size_t k = 0, x = 0, y = 0; k < count; ++k) {
      if (k % each == 0) {
        x = taken_from_a[k];
        y = i - i_first + k - x;
      }
      output.push_back(y >= count || elements[x] <= elements[y] ? elements[x++] : elements[y++]);
    }
  }
  return output;
}

bool FindEndOfA(All all, Found& found) {
  constexpr std::size_t kShort = 2100, kMostEach = 64;
  const auto is_short = [](const Evidence& e) { return e.length() <= kShort; };
  const Evidence* wrong = ShortestWrong(all, is_short);
  if (wrong == nullptr) return false;
  const std::size_t threads = static_cast<std::size_t>(wrong->result.launches.back().block.Volume());
  for (std::size_t each = 1; each <= kMostEach; ++each) {
    const auto obeys = [&](const Evidence& e) {
      return !is_short(e) || !HasValues(e) || e.output == WithoutEndOfA(e, each, each * threads);
    };
    if (!std::ranges::all_of(all, obeys)) continue;
    AddFact(found, In(*wrong, say::merge_end_of_a()));
    return true;
  }
  return false;
}

void FindWrongValues(All all, Found& found) {
  const Evidence* wrong = ShortestWrong(all, [](const Evidence&) { return true; });
  if (wrong == nullptr) return;
  FindUnwritten(all, found);
  if (!found.empty() || FindConcatenated(all, found) || FindForeign(all, found)) return;
  // With one element each there are no pieces.
  if (!FindReversed(all, found) && !FindPieces(all, found) && !FindEndOfA(all, found))
    FindRepeated(all, found);
}

// --- Which tests fail. ------------------------------------------------------------------------------------

/// One that fails, if of the tests with few elements exactly those fail for which `is_it`, and others pass.
template <class Predicate>
const Evidence* OnlyFailed(All all, const Predicate& is_it) {
  const Evidence* failed = nullptr;
  bool passes = false;
  for (const Evidence& e : all) {
    if (e.length() >= kManyElements) continue;
    if (HasFailed(e.result) != is_it(e)) return nullptr;
    if (e.a.empty() || e.b.empty()) continue;
    if (!HasFailed(e.result)) passes = true;
    if (HasFailed(e.result) && failed == nullptr) failed = &e;
  }
  return passes ? failed : nullptr;
}

/// The number that marks the end of a part, stored in place of a larger element.
std::optional<int> MarkStored(const Evidence& e) {
  const std::size_t i = FirstWrong(e);
  if (i >= e.output.size() || IsPoisonInt(e.output[i])) return std::nullopt;
  const bool is_foreign = std::ranges::count(ContentsOf(e).foreign, e.output[i]) > 0;
  if (!is_foreign || e.output[i] >= reference::Merge(e.a, e.b)[i]) return std::nullopt;
  return e.output[i];
}

/// A mark of this size is taken for an element where one is as large.
bool IsWrongOnlyAtTheGreatest(const Evidence& e) {
  const std::vector<int> right = reference::Merge(e.a, e.b);
  if (e.output.size() != right.size()) return false;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (e.output[i] != right[i] && right[i] != std::numeric_limits<int>::max()) return false;
  }
  return true;
}

void FindByExtremes(All all, const Evidence& e, Found& found) {
  if (const std::optional<int> mark = MarkStored(e)) {
    AddFact(found, In(e, say::merge_mark_stored(*mark)));
  } else if (IsWrongOnlyAtTheGreatest(e)) {
    AddFact(found, In(e, say::merge_only_greatest()));
  } else if (!FindForeign(all, found)) {
    AddFact(found, In(e, say::merge_only_extreme()));
  }
}

/// One length is taken for the other, so that a and b of the same length are merged well; or elements are
/// compared in a way that is wrong for large ones. Either may read or store anywhere.
bool FindByTests(All all, Found& found) {
  const auto differ = [](const Evidence& e) { return e.a.size() != e.b.size(); };
  const auto is_extreme = [](const Evidence& e) {
    return !e.a.empty() && e.a.front() == std::numeric_limits<int>::min();
  };
  if (const Evidence* e = OnlyFailed(all, differ)) {
    AddFact(found, In(*e, say::merge_only_equal_lengths()));
  } else if (const Evidence* extreme = OnlyFailed(all, is_extreme)) {
    FindByExtremes(all, *extreme, found);
  }
  return !found.empty();
}

// --- Counts, where every value is right. ------------------------------------------------------------------

double ActiveLanes(const Counts& counts) {
  return static_cast<double>(counts.thread_instructions) /
         static_cast<double>(std::max<std::uint64_t>(counts.warp_instructions, 1));
}

/// The cause comes first: threads that search in global memory break other limits, too.
void FindLoads(const Evidence& e, Found& found) {
  const std::size_t length = e.length();
  const std::uint64_t sectors = SectorsLoaded(TotalCounts(e.result)), loaded = Loaded(e.result);
  if (sectors <= LimitsOf(length).load_sectors) return;
  if (loaded > 3 * length && Threads(e.result) >= length) {
    const double of_element = static_cast<double>(loaded) / static_cast<double>(length);
    AddFact(found, In(e, say::merge_each_searches(say::Decimal(of_element, 1))));
  } else if (!UsesShared(e.result)) {
    AddFact(found, In(e, say::merge_no_tile(sectors)));
  } else if (length < kFewElements * Blocks(e.result)) {
    AddFact(found, In(e, say::merge_small_tiles(Blocks(e.result), length)));
  } else if (loaded > 3 * length) {
    AddFact(found, In(e, say::merge_loaded_again(loaded, length)));
  } else {
    AddFact(found, In(e, say::merge_many_sectors(sectors)));
  }
}

void FindByCounts(const Evidence& e, Found& found) {
  const Limits limits = LimitsOf(e.length());
  const Counts counts = TotalCounts(e.result);
  const bool works_too_much = counts.warp_instructions > limits.instructions;
  if (works_too_much && ActiveLanes(counts) < kFewLanes) {
    AddFact(found, In(e, say::merge_few_lanes(OneDecimal(ActiveLanes(counts)))));
    return;
  }
  FindLoads(e, found);
  if (!found.empty()) return;
  if (works_too_much) {
    const double of_element = static_cast<double>(counts.warp_instructions) / static_cast<double>(e.length());
    AddFact(found, In(e, say::merge_many_instructions(say::Decimal(of_element, 1))));
  } else if (SectorsStored(counts) > limits.store_sectors) {
    AddFact(found, In(e, say::merge_many_sectors_stored(SectorsStored(counts))));
  }
}

}  // namespace

Message StepWithoutLaunch(const Evidence& e) {
  if (e.length() == 0) return say::merge_nothing_launched_step();
  if (!e.result.launches.empty() || (!e.a.empty() && !e.b.empty())) return {};
  return e.a.empty() ? say::merge_one_empty_step("a", "b") : say::merge_one_empty_step("b", "a");
}

Limits LimitsOf(std::size_t length) {
  return {16 * length / 32, 12 * length / 32, 10 * length};
}

std::uint64_t Threads(const TestResult& result) {
  std::uint64_t most = 0;
  for (const LaunchRecord& launch : result.launches)
    most = std::max(most, launch.grid.Volume() * launch.block.Volume());
  return most;
}

std::uint64_t Blocks(const TestResult& result) {
  const auto stored = [](const LaunchRecord& launch) { return launch.totals.global_store_bytes; };
  return result.launches.empty() ? 0 : std::ranges::max_element(result.launches, {}, stored)->grid.Volume();
}

std::uint64_t Loaded(const TestResult& result) {
  return TotalCounts(result).global_load_bytes / sizeof(int);
}

bool UsesShared(const TestResult& result) {
  return TotalCounts(result).shared_store_requests > 0;
}

Contents ContentsOf(const Evidence& evidence) {
  Contents contents;
  std::vector<int> stored;
  std::ranges::copy_if(evidence.output, std::back_inserter(stored),
                       [](int value) { return !IsPoisonInt(value); });
  contents.unwritten = evidence.output.size() - stored.size();
  std::ranges::sort(stored);
  const std::vector<int> right = reference::Merge(evidence.a, evidence.b);
  std::ranges::set_difference(right, stored, std::back_inserter(contents.missing));
  std::vector<int> surplus;
  std::ranges::set_difference(stored, right, std::back_inserter(surplus));
  std::ranges::partition_copy(surplus, std::back_inserter(contents.repeated),
                              std::back_inserter(contents.foreign),
                              [&](int value) { return std::ranges::binary_search(right, value); });
  return contents;
}

std::size_t FirstDescent(std::span<const int> output) {
  for (std::size_t i = 0; i + 1 < output.size(); ++i) {
    if (output[i] > output[i + 1]) return i;
  }
  return output.size();
}

std::vector<Fact> FactsOf(All all) {
  Found found;
  if (FindBy(
          all, [](const Finding& finding) { return finding.kind == FindingKind::kDivergentBarrier; },
          say::merge_different_barriers(), found)) {
    return found;
  }
  if (FindReturns(all, say::merge_returned(), found) || FindByTests(all, found)) return found;
  FindInMemory(all, found);
  if (found.empty() && !FindCollisions(all, found))
    FindBy(all, IsStoredTwice, say::merge_output_twice(), found);
  if (found.empty()) FindWrongValues(all, found);
  // Work that grows with the square of the length looks endless in the longest test.
  const bool right = std::ranges::all_of(all, [](const Evidence& e) {
    const bool looks_endless = e.length() > kLongLength && HasFinding(e.result, FindingKind::kEndlessLoop);
    return e.length() == 0 || looks_endless || (!IsWrong(e) && !HasError(e.result));
  });
  if (!found.empty() || !right) return found;
  for (const Evidence* e : FailedFirst(all)) {
    if (found.empty() && e->length() >= kLongLength && Completed(e->result)) FindByCounts(*e, found);
  }
  return found;
}

}  // namespace warplings::merge
