// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// An index `row * rows + column` where conditions compare row with rows and column with columns: elements of
/// different rows meet, because a row has `columns` elements.
struct WrongRowLength {
  std::string row, used;       ///< "row", "rows".
  std::string column, needed;  ///< "column", "columns".
};

/// Of an access to `array` in that line. Nothing unless each of the two variables is compared with one name
/// alone, and these are two.
std::optional<WrongRowLength> FindWrongRowLength(std::string_view source, int line, std::string_view array);

/// The first line that divides an element's number by `length`, `e / length`, where `e % length` is computed,
/// too: by that a thread gets its row and its column.
std::optional<int> FindRowDivision(std::string_view source, std::string_view length);

/// `row = e / rows`, where a thread's row of a matrix is the quotient by a number that follows from the
/// matrix's number of rows, and `e % rows` is computed, too: a row has as many elements, or tiles, as follow
/// from the other side.
struct DivisionByRows {
  int line = 0;
  std::string quotient;   ///< "blockIdx.x / tiles_down".
  std::string divisor;    ///< "tiles_down".
  bool of_tiles = false;  ///< The divisor is computed from the number of rows.
};

/// A matrix with `rows` rows whose row is a variable that is multiplied by one of `lengths`. Nothing where
/// the divisor may follow from something else.
std::optional<DivisionByRows> FindDivisionByRows(std::string_view source, std::string_view rows,
                                                 std::initializer_list<std::string_view> lengths);

/// `rest = e - quotient * other` where `quotient = e / divisor`: no remainder.
struct NoRemainder {
  int line = 0, quotient_line = 0;
  std::string subtracted;  ///< "quotient * other".
  std::string divisor;
};

std::optional<NoRemainder> FindNoRemainder(std::string_view source);

/// The only one of `sides` that the source divides by 4 to see whether something is left: `k % 4`, `(k & 3)`.
struct AskedForFours {
  int line = 0;
  std::string side;
};

std::optional<AskedForFours> FindAskedForFours(std::string_view source,
                                               std::initializer_list<std::string_view> sides);

/// In an index of `array`, the only variable that follows from a block's index: the line that gives it that
/// value, if that is blockIdx.x and the index of `output` has one that follows from blockIdx.y.
struct OtherBlockIndex {
  int line = 0;
  std::string variable;
};

std::optional<OtherBlockIndex> FindOtherBlockIndex(std::string_view source, std::string_view array,
                                                   std::string_view output);

}  // namespace warplings
