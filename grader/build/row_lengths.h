// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace warplings
