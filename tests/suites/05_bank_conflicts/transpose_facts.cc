// SPDX-License-Identifier: Apache-2.0
// What a wrong transposition has in common, from where each of its elements comes from.
#include <algorithm>
#include <set>
#include <utility>

#include "grader/messages/joining.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/05_bank_conflicts/transpose_evidence.h"

namespace warplings::bank_conflicts {
namespace {

/// Longest row that a wrong index is taken to have.
constexpr int kLongestRow = 130;

/// An element of Y that holds one of X, by their indices in memory.
struct Moved {
  ElementIndex y = 0, x = 0;
};

class Transposed {
 public:
  Transposed(int rows, int columns, const ProbeResult& probed, bool some_return)
      : rows_(rows), columns_(columns), some_return_(some_return) {
    for (const FoundFormula& found : probed.formulas) {
      if (!found.known) {
        is_clear_ = false;
      } else if (found.IsUntouched()) {
        untouched_.push_back(static_cast<int>(found.element));
      } else if (found.terms.size() == 1 && found.terms[0].times == 1 && found.before_times == 0 &&
                 found.constant == 0) {
        moved_.push_back({static_cast<ElementIndex>(found.element), found.terms[0].a});
      } else {
        is_clear_ = false;
      }
    }
  }

  std::vector<Message> Facts(std::span<const LaunchRecord> launches) const {
    std::vector<Message> facts;
    if (!is_clear_) return facts;
    // What another row length passes over follows from it.
    if (const Message moves = Moves(); !moves.empty()) return {moves};
    if (const Message strips = StripsOfTiles(); !strips.empty()) return {strips};
    if (const Gap gap = FindGap(); gap.is_there) {
      if (const Message grid = GridTheOtherWayRound(launches); !grid.empty()) return {Said(gap), grid};
      return {Said(gap), CauseOf(gap, launches)};
    }
    if (const Message tiles = MissingTiles(); !tiles.empty()) return {tiles, WhichBlocks(launches)};
    return facts;
  }

 private:
  template <class Fits>
  bool All(const Fits& fits) const {
    return !moved_.empty() && std::ranges::all_of(moved_, fits);
  }
  bool IsRight() const {
    return All([&](const Moved& m) { return m.x == m.y % rows_ * columns_ + m.y / rows_; });
  }

  /// A wrong row length that is the other side's; a square has no other side.
  Message Moves() const {
    if (IsRight()) return "";
    if (All([](const Moved& m) { return m.x == m.y; })) return say::transpose_copied();
    if (const int length = LengthFor(
            [&](const Moved& m, int l) { return m.x == m.y % rows_ * ElementIndex{l} + m.y / rows_; })) {
      return length == rows_ ? say::transpose_rows_of_x_are_rows(length, columns_)
                             : say::transpose_rows_of_x(length, columns_);
    }
    if (const int length = LengthFor([&](const Moved& m, int l) {
          return m.y == m.x % columns_ * ElementIndex{l} + m.x / columns_;
        })) {
      return length == columns_ ? say::transpose_rows_of_y_are_columns(length, rows_)
                                : say::transpose_rows_of_y(length, rows_);
    }
    return "";
  }

  /// The only row length that fits; 0: none does, or a single row or column lets several fit.
  template <class Fits>
  int LengthFor(const Fits& fits) const {
    int found = 0;
    for (int length = 1; length <= kLongestRow; ++length) {
      if (!All([&](const Moved& m) { return fits(m, length); })) continue;
      if (found != 0) return 0;
      found = length;
    }
    return found;
  }

  /// From which row and from which column of Y on nothing is stored: row == columns_ if no row is missing.
  struct Gap {
    bool is_there = false;
    int row = 0, column = 0;
  };

  Gap FindGap() const {
    if (untouched_.empty() || moved_.empty()) return {};
    const auto is_gap = [&](int row, int column) {
      return std::ranges::binary_search(untouched_, row * rows_ + column);
    };
    Gap gap{.is_there = true};
    while (gap.row < columns_ && !is_gap(gap.row, 0)) ++gap.row;
    while (gap.column < rows_ && !is_gap(0, gap.column)) ++gap.column;
    for (int r = 0; r < columns_; ++r) {
      for (int c = 0; c < rows_; ++c) {
        if (is_gap(r, c) != (r >= gap.row || c >= gap.column)) return {};
      }
    }
    return gap;
  }

  Message Said(const Gap& gap) const {
    const bool of_rows = gap.row < columns_, of_columns = gap.column < rows_;
    if (of_rows && of_columns) return say::transpose_edges_missing(gap.row, gap.column);
    if (of_rows) {
      return gap.row + 1 == columns_ ? say::transpose_row_missing(gap.row)
                                     : say::transpose_rows_missing({gap.row, columns_ - 1});
    }
    return gap.column + 1 == rows_ ? say::transpose_column_missing(gap.column)
                                   : say::transpose_columns_missing({gap.column, rows_ - 1});
  }

  /// What the launch shows of why nothing is stored there; else what to look at.
  Message CauseOf(const Gap& gap, std::span<const LaunchRecord> launches) const {
    // Warps that are gone before a barrier. A barrier that only some warps pass is a finding, which is asked
    // about first.
    std::uint64_t warps = 0, arrivals = 0, blocks = 0;
    for (const LaunchRecord& launch : launches) {
      warps += launch.grid.Volume() * ((launch.block.Volume() + kTile - 1) / kTile);
      arrivals += launch.totals.barriers;
      blocks += launch.grid.Volume();
    }
    if (some_return_ || (arrivals > 0 && arrivals < warps))
      return say::cause_and_remedy(say::transpose_threads_returned(), say::transpose_skip_only_the_load());
    const std::uint64_t tiles = Tiles(rows_) * Tiles(columns_);
    const bool of_rows = gap.row < columns_;
    if (blocks < tiles) {
      return say::transpose_few_blocks(say::Count(blocks, "block"), tiles, of_rows ? gap.row : 0,
                                       of_rows ? 0 : gap.column);
    }
    return of_rows ? say::transpose_guard_of_rows(columns_, gap.row)
                   : say::transpose_guard_of_columns(rows_, gap.column);
  }

  static std::uint64_t Tiles(int side) { return static_cast<std::uint64_t>((side + kTile - 1) / kTile); }

  /// Tiles of 32 x 32 of which each is there or missing as a whole.
  Message MissingTiles() const {
    const auto tile_of = [&](ElementIndex y) { return std::pair(y / rows_ / kTile, y % rows_ / kTile); };
    std::set<std::pair<ElementIndex, ElementIndex>> missing;
    for (const int y : untouched_) missing.insert(tile_of(y));
    if (missing.empty() || !IsRight()) return "";
    if (std::ranges::any_of(moved_, [&](const Moved& m) { return missing.contains(tile_of(m.y)); }))
      return "";
    const auto [row, column] = *missing.begin();
    if (missing.size() == 1) return say::transpose_tile_missing(row * kTile, column * kTile);
    return say::transpose_tiles_missing(missing.size(), Tiles(rows_) * Tiles(columns_), row * kTile,
                                        column * kTile);
  }

  /// As many blocks as tiles, and no element is stored twice: then blocks that take no tile are left over.
  Message WhichBlocks(std::span<const LaunchRecord> launches) const {
    std::uint64_t blocks = 0, bytes = 0;
    for (const LaunchRecord& launch : launches) {
      blocks += launch.grid.Volume();
      bytes += launch.totals.global_store_bytes;
    }
    const bool are_idle = blocks == Tiles(rows_) * Tiles(columns_) && bytes == moved_.size() * sizeof(float);
    return are_idle ? say::transpose_idle_blocks() : say::transpose_which_block();
  }

  /// Where of each tile only the first rows or columns are stored: a loop over the rest that is missing.
  Message StripsOfTiles() const {
    if (untouched_.empty() || moved_.empty() || rows_ <= kTile || columns_ <= kTile) return "";
    for (const bool of_rows : {true, false}) {
      const auto place = [&](ElementIndex y) {
        return static_cast<int>(of_rows ? y / rows_ : y % rows_) % kTile;
      };
      int stored = 0, first_missing = kTile;
      for (const Moved& m : moved_) stored = std::max(stored, place(m.y) + 1);
      for (const int y : untouched_) first_missing = std::min(first_missing, place(y));
      if (stored == first_missing && stored < kTile) {
        return of_rows ? say::transpose_strips_of_rows(stored, stored)
                       : say::transpose_strips_of_columns(stored, stored);
      }
    }
    return "";
  }

  Message GridTheOtherWayRound(std::span<const LaunchRecord> launches) const {
    if (launches.size() != 1 || launches[0].block.x != kTile) return "";
    const Dim3 grid = launches[0].grid;
    if (Tiles(rows_) == Tiles(columns_) || grid.x != Tiles(rows_) || grid.y != Tiles(columns_)) return "";
    return say::cause_and_remedy(
        say::transpose_grid_turned(),
        say::transpose_who_counts_across(grid.x, grid.y, Tiles(columns_), Tiles(rows_)));
  }

  int rows_, columns_;
  bool some_return_;
  bool is_clear_ = true;  ///< Each element is one of X, or was never stored.
  std::vector<Moved> moved_;
  std::vector<int> untouched_;  ///< In their order.
};

}  // namespace

std::vector<Message> FactsOfTransposition(int rows, int columns, const ProbeResult& probed,
                                          std::span<const LaunchRecord> launches, bool some_return) {
  return Transposed(rows, columns, probed, some_return).Facts(launches);
}

}  // namespace warplings::bank_conflicts
