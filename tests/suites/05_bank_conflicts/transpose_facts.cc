// SPDX-License-Identifier: Apache-2.0
// What a wrong transposition has in common, from where each of its elements comes from.
#include <algorithm>
#include <utility>

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
  Transposed(int rows, int columns, const ProbeResult& probed) : rows_(rows), columns_(columns) {
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
    if (const Message gaps = Gaps(); !gaps.empty()) {
      if (const Message grid = GridTheOtherWayRound(launches); !grid.empty()) facts.push_back(grid);
      facts.push_back(gaps);
    }
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

  /// From which row or column of Y on nothing is stored.
  Message Gaps() const {
    if (untouched_.empty() || moved_.empty()) return "";
    const auto is_gap = [&](int row, int column) {
      return std::ranges::binary_search(untouched_, row * rows_ + column);
    };
    int row = 0, column = 0;
    while (row < columns_ && !is_gap(row, 0)) ++row;
    while (column < rows_ && !is_gap(0, column)) ++column;
    for (int r = 0; r < columns_; ++r) {
      for (int c = 0; c < rows_; ++c) {
        if (is_gap(r, c) != (r >= row || c >= column)) return "";
      }
    }
    const bool square = rows_ == columns_;
    if (row < columns_ && column < rows_) {
      return square ? say::transpose_no_row_nor_column(row, columns_, column, rows_)
                    : say::transpose_no_row_of_columns_nor_column_of_rows(row, columns_, column, rows_);
    }
    if (row < columns_)
      return square ? say::transpose_no_row(row, columns_) : say::transpose_no_row_of_columns(row, columns_);
    return square ? say::transpose_no_column(column, rows_) : say::transpose_no_column_of_rows(column, rows_);
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
    const auto tiles = [](int side) { return static_cast<std::uint32_t>((side + kTile - 1) / kTile); };
    const Dim3 grid = launches[0].grid;
    if (tiles(rows_) == tiles(columns_) || grid.x != tiles(rows_) || grid.y != tiles(columns_)) return "";
    return say::transpose_grid_turned(grid.x, grid.y, tiles(columns_), tiles(rows_), grid.x - 1);
  }

  int rows_, columns_;
  bool is_clear_ = true;  ///< Each element is one of X, or was never stored.
  std::vector<Moved> moved_;
  std::vector<int> untouched_;  ///< In their order.
};

}  // namespace

std::vector<Message> FactsOfTransposition(int rows, int columns, const ProbeResult& probed,
                                          std::span<const LaunchRecord> launches) {
  return Transposed(rows, columns, probed).Facts(launches);
}

}  // namespace warplings::bank_conflicts
