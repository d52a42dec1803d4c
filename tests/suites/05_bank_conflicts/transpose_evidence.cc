// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/05_bank_conflicts/transpose_evidence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/evidence.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/title_numbers.h"

namespace warplings::bank_conflicts {
namespace {

using All = std::span<const Transposition>;
using Found = std::vector<Fact>;

/// Names the test, and its size unless its title does.
Message In(const Transposition& t, const Message& what) {
  if (HasNumber(t.result.title, t.rows) && HasNumber(t.result.title, t.columns))
    return say::of_test(t.test, what);
  return say::transpose_evidence(t.test, t.rows, t.columns, what);
}

bool IsWhole(const Transposition& t) {
  return t.rows % kTile == 0 && t.columns % kTile == 0;
}

/// The first test with whole tiles, if possible one that failed: its counts are what the report shows.
const Transposition* WholeTiles(All all) {
  const Transposition* failed = FirstWith(
      all, [](const Transposition& t) { return IsWhole(t) && t.result.verdict != Verdict::kPassed; });
  return failed != nullptr ? failed : FirstWith(all, IsWhole);
}

/// Every test ran to its end, without an error and with the right values.
bool AllRight(All all) {
  return !all.empty() && std::ranges::all_of(all, [](const Transposition& t) {
    return Completed(t.result) && !HasError(t.result) && t.result.wrong_count == 0 && !t.y.empty();
  });
}

float XAt(const Transposition& t, int row, int column) {
  return t.x[static_cast<std::size_t>(row * t.columns + column)];
}
float YAt(const Transposition& t, int row, int column) {
  return t.y[static_cast<std::size_t>(row * t.rows + column)];
}

/// Y is square, of several whole tiles, and each element is the one of X that `from(row, column)` names.
template <class From>
bool ComesFrom(const Transposition& t, const From& from) {
  if (t.rows != t.columns || t.rows <= kTile || !IsWhole(t) || t.y.empty()) return false;
  for (int row = 0; row < t.rows; ++row) {
    for (int column = 0; column < t.columns; ++column) {
      const auto [x_row, x_column] = from(row, column);
      if (YAt(t, row, column) != XAt(t, x_row, x_column)) return false;
    }
  }
  return true;
}

/// Tile (i, j) of Y is tile (i, j) of X turned, not tile (j, i).
bool TilesStayInPlace(const Transposition& t) {
  return ComesFrom(t, [](int row, int column) {
    return std::pair(row / kTile * kTile + column % kTile, column / kTile * kTile + row % kTile);
  });
}

/// Tile (i, j) of Y is tile (j, i) of X as it was.
bool TilesAreNotTurned(const Transposition& t) {
  return ComesFrom(t, [](int row, int column) {
    return std::pair(column / kTile * kTile + row % kTile, row / kTile * kTile + column % kTile);
  });
}

bool WritesFollow(All all, WritesOutside model) {
  bool any = false;
  for (const Transposition& t : all) {
    if (!Completed(t.result)) continue;
    const std::uint64_t outside = CountOutside(t.result, "Y", Access::kWrite);
    if (outside != model(t.rows, t.columns)) return false;
    any |= outside > 0;
  }
  return any;
}

// --- Counts of right answers. --------------------------------------------------------------------

std::uint32_t MostSharedBytes(const Transposition& t) {
  std::uint32_t most = 0;
  for (const LaunchRecord& launch : t.result.launches) {
    most = std::max(most, launch.static_shared_bytes + launch.dynamic_shared_bytes);
  }
  return most;
}

/// Of loads or of stores, whichever has more for each request.
double WorstConflicts(const Counts& counts) {
  const auto rate = [](std::uint64_t conflicts, std::uint64_t requests) {
    return requests == 0 ? 0.0 : static_cast<double>(conflicts) / static_cast<double>(requests);
  };
  return std::max(rate(counts.shared_load_conflicts, counts.shared_load_requests),
                  rate(counts.shared_store_conflicts, counts.shared_store_requests));
}

/// Only blocks whose rows are whole warps: other shapes spread over banks in ways no message here explains.
bool HasRowsOfAWarp(const Transposition& t) {
  return std::ranges::all_of(t.result.launches, [](const LaunchRecord& l) { return l.block.x % kTile == 0; });
}

say::Count Conflicts(double rate) {
  return {static_cast<std::uint64_t>(rate), "conflict"};
}

constexpr double kWholeColumn = kTile - 1;  // conflicts a request, when 32 elements lie in one bank
constexpr std::uint32_t kLeastPaddedBytes = kTile * (kTile + 1) * 4,
                        kMostPaddedBytes = kTile * (kTile + 8) * 4;

void FindSectors(const Transposition& whole, Found& found) {
  const Counts counts = TotalCounts(whole.result);
  const std::uint64_t limit = SectorLimit(whole.rows, whole.columns);
  const int needed = whole.rows * whole.columns / 8;
  // What lies side by side and is moved twice is another mistake.
  const auto lie_apart = [](std::uint64_t sectors, std::uint64_t bytes) {
    return 32 * sectors > bytes * 5 / 4;
  };
  if (counts.global_store_sectors > limit &&
      lie_apart(counts.global_store_sectors, counts.global_store_bytes)) {
    const std::uint64_t sectors = counts.global_store_sectors;
    const LineCounts* line = BusiestLine(whole.result, &Counts::global_store_sectors);
    AddFact(found, In(whole, line == nullptr ? say::transpose_written(sectors, needed)
                                             : say::transpose_written_in(sectors, needed, line->where.line)));
  }
  if (counts.global_load_sectors > limit && lie_apart(counts.global_load_sectors, counts.global_load_bytes)) {
    const std::uint64_t sectors = counts.global_load_sectors;
    const LineCounts* line = BusiestLine(whole.result, &Counts::global_load_sectors);
    AddFact(found, In(whole, line == nullptr ? say::transpose_read(sectors, needed)
                                             : say::transpose_read_in(sectors, needed, line->where.line)));
  }
}

void FindPadding(const Transposition& whole, Found& found) {
  const double conflicts = WorstConflicts(TotalCounts(whole.result));
  if (conflicts == 0 || !HasRowsOfAWarp(whole)) return;
  const std::uint32_t bytes = MostSharedBytes(whole);
  // Whole columns in one bank, in more bytes than a few elements more: other rows than those of 32, or other
  // tiles. Fewer conflicts without padding: another order of the elements.
  const bool whole_column = conflicts >= kWholeColumn;
  if (bytes > kMostPaddedBytes ? whole_column : bytes <= kTileBytes && !whole_column) return;
  // A column of rows that are a few elements longer meets as often as the row's length and 32 have in common.
  constexpr std::uint32_t kColumnBytes = kTile * 4;
  const bool is_of_rows =
      bytes % kColumnBytes == 0 &&
      static_cast<std::uint32_t>(conflicts) + 1 == std::gcd(bytes / kColumnBytes, std::uint32_t{kTile});
  if (bytes > kTileBytes && !whole_column && !is_of_rows) return;
  const std::string id = bytes <= kTileBytes ? "tile_not_padded"
                         : whole_column      ? "extra_row"
                                             : "padding_not_odd";
  if (id == "padding_not_odd") {
    const std::uint32_t row = bytes / kColumnBytes, repeats = kTile / std::gcd(row, std::uint32_t{kTile});
    AddFact(found, id, In(whole, say::transpose_padded_rows(row, repeats)));
    return;
  }
  AddFact(found, id, In(whole, say::transpose_padding(Conflicts(conflicts), bytes)));
}

const LineCounts* LineOfConflicts(const TestResult& result) {
  const Counts counts = TotalCounts(result);
  return BusiestLine(result, counts.shared_load_conflicts >= counts.shared_store_conflicts
                                 ? &Counts::shared_load_conflicts
                                 : &Counts::shared_store_conflicts);
}

void FindSwizzle(const Transposition& whole, Found& found) {
  const double conflicts = WorstConflicts(TotalCounts(whole.result));
  const std::uint32_t bytes = MostSharedBytes(whole);
  if (bytes > kTileBytes) {
    // A place behind each row at least; more than a few are another tile.
    if (conflicts == 0 && bytes >= kLeastPaddedBytes && bytes <= kMostPaddedBytes)
      AddFact(found, In(whole, say::transpose_bytes(bytes)));
  } else if (conflicts > 0 && HasRowsOfAWarp(whole)) {
    const LineCounts* line = LineOfConflicts(whole.result);
    AddFact(found, conflicts >= kWholeColumn ? "column_in_one_bank" : "too_few_orders",
            In(whole, line == nullptr ? say::transpose_rate(Conflicts(conflicts))
                                      : say::transpose_rate_in(Conflicts(conflicts), line->where.line)));
  }
}

// --- Elements in wrong places. -------------------------------------------------------------------

enum class RowContent {
  kRight,
  kReordered,  ///< Every element once, in another order.
  kLossy,      ///< Only elements that belong there, some missing, others several times.
  kForeign,    ///< Something that does not belong there.
};

/// Row `row` of X, from `first_column` on for the width of a tile, beside what Y holds in its place. A
/// swizzle only moves elements within a row of the tile.
RowContent ContentOf(const Transposition& t, int row, int first_column) {
  std::multiset<float> belongs, there;
  bool right = true;
  for (int column = first_column; column < first_column + kTile; ++column) {
    const float expected = XAt(t, row, column), actual = YAt(t, column, row);
    if (std::isnan(actual)) return RowContent::kForeign;
    belongs.insert(expected);
    there.insert(actual);
    right &= expected == actual;
  }
  if (right) return RowContent::kRight;
  if (belongs == there) return RowContent::kReordered;
  const bool all_belong = std::ranges::all_of(there, [&](float value) { return belongs.contains(value); });
  return all_belong ? RowContent::kLossy : RowContent::kForeign;
}

/// An element of X that is not where it belongs, and the one that stands there.
struct Misplaced {
  std::string element, instead;  ///< "X[8][1]" and "X[8][9]".
};

/// How many rows of tiles hold what.
struct Disorder {
  std::uint64_t reordered = 0, lossy = 0, foreign = 0;
  std::optional<Misplaced> first_moved;  ///< Of a row that is complete.
  std::optional<Misplaced> first_lost;
};

/// Of a row with such content: its first element that is nowhere, or that is elsewhere, and what is there
/// instead; of those that are elsewhere, a pair near the row's beginning, which small matrices have, too.
/// Nothing where two elements of the row are the same number.
std::optional<Misplaced> FirstWrong(const Transposition& t, int row, int first_column, RowContent content) {
  const auto name = [&](int column) {
    return "X[" + std::to_string(row) + "][" + std::to_string(column) + "]";
  };
  std::optional<Misplaced> found;
  int farthest = first_column + kTile;
  for (int column = first_column; column < first_column + kTile; ++column) {
    const auto is_here = [&](int other) { return YAt(t, other, row) == XAt(t, row, column); };
    const auto is_instead = [&](int other) { return XAt(t, row, other) == YAt(t, column, row); };
    const auto columns = std::views::iota(first_column, first_column + kTile);
    const bool is_right =
        content == RowContent::kLossy ? std::ranges::any_of(columns, is_here) : is_here(column);
    if (is_right) continue;
    const int instead = *std::ranges::find_if(columns, is_instead);
    if (content == RowContent::kLossy) return Misplaced{name(column), name(instead)};
    if (std::max(column, instead) >= farthest) continue;
    farthest = std::max(column, instead);
    found = {name(column), name(instead)};
  }
  return found;
}

Disorder DisorderOf(const Transposition& t) {
  Disorder disorder;
  for (int row = 0; row < t.rows; ++row) {
    for (int column = 0; column < t.columns; column += kTile) {
      const RowContent content = ContentOf(t, row, column);
      if (content == RowContent::kReordered && disorder.reordered == 0)
        disorder.first_moved = FirstWrong(t, row, column, content);
      if (content == RowContent::kLossy && disorder.lossy == 0)
        disorder.first_lost = FirstWrong(t, row, column, content);
      disorder.reordered += content == RowContent::kReordered;
      disorder.lossy += content == RowContent::kLossy;
      disorder.foreign += content == RowContent::kForeign;
    }
  }
  return disorder;
}

void FindDisorder(All all, Found& found) {
  for (const Transposition& t : all) {
    if (!IsWhole(t) || t.y.empty() || !Completed(t.result) || t.result.wrong_count == 0) continue;
    const Disorder disorder = DisorderOf(t);
    if (disorder.foreign > 0) continue;
    if (const auto& lost = disorder.first_lost) {
      AddFact(found, In(t, say::transpose_lost(lost->element, lost->instead)));
    } else if (const auto& moved = disorder.first_moved) {
      Fact& fact = AddFact(found, In(t, say::transpose_moved(moved->element, moved->instead)));
      // In a tile that is not full, the same reads get elements that nobody has stored.
      for (const Transposition& each : all)
        ShowFinding(fact, each.result, InShared(FindingKind::kUninitialised));
    }
    return;
  }
}

/// A whole tile of X beside what Y holds in its place: an element that is nowhere, and the one in its place.
/// Nothing where Y holds something that is not of this tile.
std::optional<Misplaced> FirstLostOfTile(const Transposition& t, int first_row, int first_column) {
  std::map<float, std::string> belongs;
  std::set<float> there;
  for (int row = first_row; row < first_row + kTile; ++row) {
    for (int column = first_column; column < first_column + kTile; ++column) {
      belongs[XAt(t, row, column)] = "X[" + std::to_string(row) + "][" + std::to_string(column) + "]";
      there.insert(YAt(t, column, row));
    }
  }
  if (!std::ranges::all_of(there, [&](float value) { return belongs.contains(value); })) return std::nullopt;
  for (int row = first_row; row < first_row + kTile; ++row) {
    for (int column = first_column; column < first_column + kTile; ++column) {
      const float lost = XAt(t, row, column);
      if (!there.contains(lost)) return Misplaced{belongs.at(lost), belongs.at(YAt(t, column, row))};
    }
  }
  return std::nullopt;
}

bool StoresTwiceInTile(const Finding& finding) {
  return BothStore(finding) && finding.space == MemorySpace::kShared;
}

/// Two threads that store the same element of the tile, in any two rows of it.
void FindSharedPlaces(All all, Found& found) {
  for (const Transposition& t : all) {
    if (!IsWhole(t) || t.y.empty() || !Completed(t.result)) continue;
    if (std::ranges::none_of(t.result.findings, StoresTwiceInTile)) continue;
    const auto lost = FirstLostOfTile(t, 0, 0);
    if (!lost) continue;
    // The finding names one thread; the two elements say more.
    AddFact(found, In(t, say::transpose_lost_in_tile(lost->element, lost->instead)));
    return;
  }
}

}  // namespace

namespace {

/// Counts the threads of a tiled kernel that pass `check` and then store behind the end of Y.
template <class Check>
std::uint64_t CountWritesOutside(int rows, int columns, int row_length, const Check& check) {
  const auto covered = [](int size) { return (size + kTile - 1) / kTile * kTile; };
  std::uint64_t outside = 0;
  for (int x_row = 0; x_row < covered(rows); ++x_row) {
    for (int x_column = 0; x_column < covered(columns); ++x_column) {
      const int y_row = x_column / kTile * kTile + x_row % kTile;
      const int y_column = x_row / kTile * kTile + x_column % kTile;
      outside += check(x_row, x_column, y_row, y_column) && y_row * row_length + y_column >= rows * columns;
    }
  }
  return outside;
}

}  // namespace

std::uint64_t WritesCheckedWithX(int rows, int columns) {
  return CountWritesOutside(rows, columns, rows, [=](int x_row, int x_column, int, int) {
    return x_row < rows && x_column < columns;
  });
}

std::uint64_t WritesWithRowsOfX(int rows, int columns) {
  return CountWritesOutside(rows, columns, columns, [=](int, int, int y_row, int y_column) {
    return y_row < columns && y_column < rows;
  });
}

std::uint64_t WritesWithBoundsOfX(int rows, int columns) {
  return CountWritesOutside(rows, columns, rows, [=](int, int, int y_row, int y_column) {
    return y_row < rows && y_column < columns;
  });
}

std::uint64_t WritesWithShapeOfX(int rows, int columns) {
  return CountWritesOutside(rows, columns, columns, [=](int, int, int y_row, int y_column) {
    return y_row < rows && y_column < columns;
  });
}

namespace {

/// Writes outside Y, explained by what a kernel takes Y's shape or the right check to be.
void FindStores(All all, Found& found) {
  const Transposition* outside =
      FirstWith(all, [](const Transposition& t) { return CountOutside(t.result, "Y", Access::kWrite) > 0; });
  if (outside == nullptr) return;
  const std::uint64_t writes = CountOutside(outside->result, "Y", Access::kWrite);
  if (WritesFollow(all, WritesCheckedWithX))
    AddFact(found, In(*outside, say::transpose_checked_with_x(writes)));
  for (const WritesOutside model : {WritesWithRowsOfX, WritesWithBoundsOfX, WritesWithShapeOfX}) {
    if (WritesFollow(all, model)) AddFact(found, In(*outside, say::transpose_with_shape_of_x(writes)));
  }
  if (found.size() > 1) found.clear();  // Two explanations are none.
  if (!found.empty()) ShowFinding(found[0], outside->result, Outside("Y", Access::kWrite));
}

/// Accesses past the end of a matrix of rows x columns, of blocks of 32 x `height` threads whose tiles lie
/// `down` x `across`: a thread has every `height`-th row of its tile, and checks only the first of them.
std::uint64_t AccessesPastFirstRow(int rows, int columns, std::uint32_t down, std::uint32_t across,
                                   int height) {
  std::uint64_t past = 0;
  for (int first = 0; first < std::min(rows, static_cast<int>(down) * kTile); ++first) {
    if (first % kTile >= height) continue;
    for (int row = first + height; row / kTile == first / kTile; row += height) past += row >= rows;
  }
  return past * static_cast<std::uint64_t>(std::min(columns, static_cast<int>(across) * kTile));
}

/// Accesses past the end of X, of Y or of both, explained by a check of each thread's first row alone.
void FindFirstRowChecked(All all, Found& found) {
  const Transposition* outside = nullptr;
  bool any_read = false, any_write = false, reads_follow = true, writes_follow = true;
  for (const Transposition& t : all) {
    if (!Completed(t.result)) continue;
    const LaunchRecord& launch = t.result.launches.front();
    const int height = static_cast<int>(launch.block.y);
    const bool has_rows = launch.block.x == kTile && height < kTile && kTile % height == 0;
    if (t.result.launches.size() != 1 || !has_rows) return;
    const Dim3 grid = launch.grid;
    const std::uint64_t reads = CountOutside(t.result, "X", Access::kRead),
                        writes = CountOutside(t.result, "Y", Access::kWrite);
    any_read |= reads > 0;
    any_write |= writes > 0;
    reads_follow &= reads == AccessesPastFirstRow(t.rows, t.columns, grid.y, grid.x, height);
    writes_follow &= writes == AccessesPastFirstRow(t.columns, t.rows, grid.x, grid.y, height);
    if (outside == nullptr && reads + writes > 0) outside = &t;
  }
  if (outside == nullptr || (any_read && !reads_follow) || (any_write && !writes_follow)) return;
  const std::uint64_t reads = CountOutside(outside->result, "X", Access::kRead),
                      writes = CountOutside(outside->result, "Y", Access::kWrite);
  Fact& fact = AddFact(found, In(*outside, say::transpose_first_row_checked(reads + writes)));
  ShowFinding(fact, outside->result, reads > 0 ? Outside("X", Access::kRead) : Outside("Y", Access::kWrite));
}

/// Blocks that are smaller than a tile of 32 x 32, and of each tile of Y as many rows and columns written as
/// a block has threads along y and x.
void FindPartOfTile(All all, Found& found) {
  const Transposition* seen = nullptr;
  for (const Transposition& t : all) {
    if (!Completed(t.result) || t.y.empty()) continue;
    if (t.result.launches.size() != 1) return;
    const Dim3& threads = t.result.launches.front().block;
    bool has_unwritten = false;
    for (int row = 0; row < t.columns; ++row) {
      for (int column = 0; column < t.rows; ++column) {
        const bool is_left_out =
            row % kTile >= static_cast<int>(threads.y) || column % kTile >= static_cast<int>(threads.x);
        if (IsPoison(YAt(t, row, column)) != is_left_out) return;
        has_unwritten |= is_left_out;
      }
    }
    if (has_unwritten && (seen == nullptr || seen->y.size() > t.y.size())) seen = &t;
  }
  if (seen == nullptr) return;
  const Dim3& threads = seen->result.launches.front().block;
  Fact& fact = AddFact(found, In(*seen, say::transpose_part_of_tile(threads.x, threads.y)));
  ShowFinding(fact, seen->result, InShared(FindingKind::kUninitialised));
}

}  // namespace

std::vector<Fact> FactsOfPadded(std::span<const Transposition> all) {
  Found found;
  if (const Transposition* race =
          FirstWith(all, [](const Transposition& t) { return ReadsTooEarlyOrStoresOver(t.result); })) {
    Fact& fact = AddFact(found, In(*race, say::race_in_shared_memory()));
    ShowFinding(fact, race->result, FindingKind::kRace);
    NameRaceOfPasses(fact, race->result);
    return found;
  }
  if (const Transposition* stays = FirstWith(all, TilesStayInPlace)) {
    AddFact(found, In(*stays, say::transpose_turned_in_place()));
    return found;
  }
  if (const Transposition* same = FirstWith(all, TilesAreNotTurned)) {
    AddFact(found, In(*same, say::transpose_not_turned()));
    return found;
  }
  FindPartOfTile(all, found);
  if (found.empty()) FindStores(all, found);
  if (found.empty()) FindFirstRowChecked(all, found);
  const Transposition* whole = WholeTiles(all);
  if (whole == nullptr || !AllRight(all)) return found;
  FindSectors(*whole, found);
  if (found.empty()) FindPadding(*whole, found);
  return found;
}

std::vector<Fact> FactsOfSwizzled(std::span<const Transposition> all) {
  Found found;
  if (const Transposition* outside = FirstWith(all, [](const Transposition& t) {
        return HasFinding(t.result, FindingKind::kOutOfBounds, MemorySpace::kShared);
      })) {
    Fact& fact = AddFact(found, In(*outside, say::transpose_outside_shared()));
    ShowFinding(fact, outside->result, FindingKind::kOutOfBounds);
    return found;
  }
  // Threads that are out of step find anything. Two stores into one place are another matter: places shared.
  const auto races = [](const Transposition& t) { return ReadsTooEarlyOrStoresOver(t.result); };
  if (std::ranges::any_of(all, races)) return found;
  FindPartOfTile(all, found);
  if (found.empty()) FindDisorder(all, found);
  if (found.empty()) FindSharedPlaces(all, found);
  if (found.empty()) FindStores(all, found);
  const Transposition* whole = WholeTiles(all);
  if (found.empty() && whole != nullptr && AllRight(all)) FindSwizzle(*whole, found);
  return found;
}

}  // namespace warplings::bank_conflicts
