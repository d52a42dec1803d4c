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

/// A check that a student may put before an access.
enum class Guard {
  kRight,  ///< Asks for the access' own row and column.
  kNone,
  kRowOnly,
  kColumnOnly,
  kLastPhase,  ///< Right in the last phase, none before.
  kOther,      ///< The one of the other load.
  kOutput,     ///< row and col: the one of P's store.
  kOffByOne,   ///< Right, but with <=.
};
inline constexpr std::array kGuards = {Guard::kRight,     Guard::kNone,  Guard::kRowOnly, Guard::kColumnOnly,
                                       Guard::kLastPhase, Guard::kOther, Guard::kOutput,  Guard::kOffByOne};

enum class Load { kM, kN };

/// Reads outside the matrix that the whole launch makes when `load` stands behind `guard`: thread-accesses,
/// as findings count them. Found by walking through all blocks, phases and threads.
std::uint64_t ReadsOutside(Load load, Guard guard, int width);

/// Writes outside P when the store stands behind `guard` (kRight, kNone, kOffByOne, …).
std::uint64_t WritesOutside(Guard guard, int width);

}  // namespace warplings::tiled_matmul
