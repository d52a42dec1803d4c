// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

// What the text of a submission tells about a place in it that the device knows only by a number.

/// The extents of the shared arrays with two or more dimensions that a source declares, by name:
/// `__shared__ float tile[16][17];` has 16 and 17. Only those of numbers of at most 4 bytes, whose elements
/// the suite counts as they are declared, and whose extents are numbers, names of numbers, or sums, products
/// and differences of these. An array that is declared twice with different extents is left out.
std::map<std::string, std::vector<std::int64_t>> SharedExtents(std::string_view source);

/// An array whose rows are declared with padding: `float tile[32][32 + 1]`.
struct PaddedArray {
  std::int64_t columns = 0;  ///< Without the padding: 32.
  std::int64_t extent = 0;   ///< With it: 33.
};

/// The shared arrays of SharedExtents whose last extent is written as a sum of two numbers, by name.
std::map<std::string, PaddedArray> PaddedArrays(std::string_view source);

/// Whether the line has an element of the array by as many subscripts as two or more, `tile[ty][i]`.
bool HasSubscripts(std::string_view source, int line, const std::string& array);

/// A column that goes past the end of a row: `c` of `tile[r][c]`, where a row has 16 elements and c goes up
/// to 19.
struct IndexPastRow {
  std::string index;
  std::string extent, most;  ///< "16", "19"; "TILE", "TILE + 2 * kRadius - 1" where a header has a number.
};

/// Of an access to the array in that line, whose last subscript is a variable that the source compares with
/// one bound alone, or the remainder of a division.
std::optional<IndexPastRow> FindIndexPastRow(std::string_view source, int line, const std::string& array);

/// "[1][0]" of element 16 of an array with these extents; nothing if it has fewer elements.
std::optional<std::string> Subscripts(std::int64_t element, const std::vector<std::int64_t>& extents);

/// Why threads of a block do not come to a barrier.
struct MissedBarrier {
  enum class Why {
    kCondition,  ///< The barrier is inside an if whose condition is in `line`.
    kReturn,     ///< The function returns early in `line`.
    kJump,       ///< A `break` or `continue` in `line` leaves the pass of a loop around the barrier.
  };
  Why why = Why::kCondition;
  int line = 0;
  std::string jump;  ///< Of kJump, "break".
  friend bool operator==(const MissedBarrier&, const MissedBarrier&) = default;
};

/// Of the barrier in that line; nothing if the text does not show one reason alone.
std::optional<MissedBarrier> WhyMissed(std::string_view source, int barrier_line);

/// What lets a thread come to a line.
struct Passage {
  int line = 0;          ///< Of an if's condition, or of a loop.
  std::string variable;  ///< "i" of `for (int i = 0; …`; empty of a condition.
  friend bool operator==(const Passage&, const Passage&) = default;
};

/// The innermost condition or loop around that line on which an index of the array in it depends, of any
/// array if it has no name: a condition that names something of the index, or a loop that counts it up.
/// Nothing if there is none.
std::optional<Passage> PassageTo(std::string_view source, int line, std::string_view array = {});

/// A loop in the text.
struct SourceLoop {
  int line = 0;          ///< Of its `for`, `while` or `do`.
  std::string variable;  ///< "phase" of `for (int phase = 0; …`; empty if no header begins so.
  friend bool operator==(const SourceLoop&, const SourceLoop&) = default;
};

/// The innermost loop around both lines; nothing if no loop of one function has both.
std::optional<SourceLoop> LoopAround(std::string_view source, int first, int second);

}  // namespace warplings
