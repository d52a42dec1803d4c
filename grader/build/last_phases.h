// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// What is left of a side for its last tile: 0 where the tile divides the side.
struct Remainder {
  int line = 0;
  std::string text;  ///< "width % TILE_WIDTH".
  friend bool operator==(const Remainder&, const Remainder&) = default;
};

/// The only value `side % TILE` of the source that is taken as a number of elements, with one of these sides
/// and a constant TILE of that size, or a variable of this name. Nothing where a condition asks for it.
std::optional<Remainder> FindRemainder(std::string_view source, std::initializer_list<std::string_view> sides,
                                       std::int64_t tile, std::string_view tile_name = {});

}  // namespace warplings
