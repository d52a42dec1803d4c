// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/diagnostic.h"

namespace warplings {

/// Finds calls such as ceil(width / TILE_WIDTH), where an integer division has already rounded down before
/// ceil sees the quotient; no compiler warns about it. Returns a warning for each line with such a call. A
/// call is skipped if anything in it is visibly float or double: a cast, a literal, a variable declared as
/// one.
std::vector<Diagnostic> FindRoundedQuotients(std::string_view source, const std::string& display_name);

/// A slip of the pen that compiles and whose consequences look like another mistake. The text shows it beyond
/// doubt, so it is what to mend first.
struct Slip {
  int line = 0;
  Message what;  ///< What is wrong and what to write instead; names the line.
};

/// The first of these in a source, if there is one:
///  - `__syncthreads;`, a barrier without its parentheses: it names the function and calls nothing.
///  - `kernel<<<block, grid>>>`: both arguments are names, the first one of a block or its threads, the
///    second one of a grid or its blocks. Or `kernel<<<piece, blocks>>>`, where `blocks` is a number of
///    elements divided by `piece`; or `kernel<<<BLOCK_SIZE, segments>>>`, where `segments` is rounded up.
///  - `if (...);` before a statement, and loops that end so (grader/build/empty_bodies.h).
///  - `extern __shared__ float* tile;`, a pointer in place of the array.
///  - `M[row, column]`, which drops the row.
///  - a loop that counts past the end of a thread's own array (grader/build/array_loops.h).
///  - `n + T - 1 / T`, which divides only the 1 (grader/build/division_slips.h).
///  - `0 <= row < width` and `if (row = width)` (grader/build/condition_slips.h).
std::optional<Slip> FindSlip(std::string_view source);

}  // namespace warplings
