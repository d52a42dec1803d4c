// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/01_boundary_checks/guard_models.h"

namespace warplings::tiled_matmul {
namespace {

bool Inside(const Step& s, int row, int column) {
  return row < s.width && column < s.width;
}

/// Does the access to (row, column) happen? (other_row, other_column): the other load's.
bool Passes(Guard guard, const Step& s, int row, int column, int other_row, int other_column) {
  switch (guard) {
    case Guard::kRight: return Inside(s, row, column);
    case Guard::kNone: return true;
    case Guard::kRowOnly: return row < s.width;
    case Guard::kColumnOnly: return column < s.width;
    case Guard::kLastPhase: return s.phase < s.phases - 1 || Inside(s, row, column);
    case Guard::kOther: return Inside(s, other_row, other_column);
    case Guard::kOutput: return Inside(s, s.row, s.col);
    case Guard::kOffByOne: return row <= s.width && column <= s.width;
    case Guard::kRowOffByOne: return row <= s.width && column < s.width;
    case Guard::kColumnOffByOne: return row < s.width && column <= s.width;
  }
  return true;
}

/// Past the last element; a column past the end of an earlier row is the next row's, and inside.
bool IsOutside(int row, int column, int width) {
  return row * width + column >= width * width;
}

template <class Visit>
void ForEachThread(int width, const Visit& visit) {
  const int padded = (width + kTileWidth - 1) / kTileWidth * kTileWidth;
  for (int row = 0; row < padded; ++row) {
    for (int col = 0; col < padded; ++col) visit(row, col);
  }
}

}  // namespace

std::uint64_t ReadsOutside(Load load, Guard guard, int width) {
  const int phases = (width + kTileWidth - 1) / kTileWidth;
  std::uint64_t outside = 0;
  ForEachThread(width, [&](int row, int col) {
    for (int phase = 0; phase < phases; ++phase) {
      const Step s{width,
                   phase,
                   phases,
                   row,
                   col,
                   phase * kTileWidth + col % kTileWidth,
                   phase * kTileWidth + row % kTileWidth};
      const bool of_m = load == Load::kM;
      const int r = of_m ? s.row : s.n_row, c = of_m ? s.m_col : s.col;
      const int other_r = of_m ? s.n_row : s.row, other_c = of_m ? s.col : s.m_col;
      if (IsOutside(r, c, width) && Passes(guard, s, r, c, other_r, other_c)) ++outside;
    }
  });
  return outside;
}

std::uint64_t WritesOutside(Guard guard, int width) {
  std::uint64_t outside = 0;
  ForEachThread(width, [&](int row, int col) {
    const Step s{width, 0, 1, row, col, 0, 0};
    if (IsOutside(row, col, width) && Passes(guard, s, row, col, row, col)) ++outside;
  });
  return outside;
}

}  // namespace warplings::tiled_matmul
