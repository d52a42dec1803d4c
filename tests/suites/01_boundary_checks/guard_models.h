// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace warplings::tiled_matmul {

inline constexpr int kTileWidth = 16;

/// One thread of the tiled kernel in one phase.
struct Step {
  int width, phase, phases;
  int row, col;      ///< Of P.
  int m_col, n_row;  ///< What it loads: M[row][m_col] and N[n_row][col].
};

/// A bounds check that a student may write before an access.
enum class Guard {
  kRight,  ///< Checks the access's own row and column.
  kNone,
  kRowOnly,
  kColumnOnly,
  kLastPhase,       ///< Right in the last phase, no check before.
  kOther,           ///< The check that belongs to the other load.
  kOutput,          ///< The check of P's store: row and col.
  kOffByOne,        ///< Right, but with <=.
  kRowOffByOne,     ///< With <= for the row alone …
  kColumnOffByOne,  ///< … or for the column alone.
};
inline constexpr std::array kGuards = {
    Guard::kRight, Guard::kNone,   Guard::kRowOnly,  Guard::kColumnOnly,  Guard::kLastPhase,
    Guard::kOther, Guard::kOutput, Guard::kOffByOne, Guard::kRowOffByOne, Guard::kColumnOffByOne};

enum class Load { kM, kN };

/// Number of reads outside the matrix in the whole launch if `load` is protected by `guard`; counted per
/// thread, as in findings. Computed by iterating over all blocks, phases and threads.
std::uint64_t ReadsOutside(Load load, Guard guard, int width);

/// Number of writes outside P if the store is protected by `guard` (kRight, kNone, kOffByOne, kRowOffByOne,
/// …).
std::uint64_t WritesOutside(Guard guard, int width);

}  // namespace warplings::tiled_matmul
