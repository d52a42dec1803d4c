// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A shuffle that returns a lane's own value to it, which the lane then adds to what it has.
struct OwnShuffle {
  int line = 0;
  std::string distance;  ///< As it is written: "d".
  /// 0: of __shfl_up_sync, in lanes with no lane below them at that distance, which no condition leaves out.
  /// Else: how many lanes a group has in which no lane is at that distance from another.
  int group = 0;
  int farthest = 0;  ///< The distance in numbers, where there are groups.
  friend bool operator==(const OwnShuffle&, const OwnShuffle&) = default;
};

/// The first one, of all lanes above 0 or of all lanes, as far as the text shows.
std::optional<OwnShuffle> FindOwnShuffle(std::string_view source);

/// A loop over the distances of a shuffle that ends before 1: neighbours' values never meet.
struct ShortShuffle {
  int line = 0;          ///< Of the loop.
  std::string distance;  ///< Its variable.
};

/// `for (int d = 16; d > 1; d /= 2) v += __shfl_down_sync(m, v, d);`: the first one.
std::optional<ShortShuffle> FindShortShuffle(std::string_view source);

}  // namespace warplings
