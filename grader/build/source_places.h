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

/// "[1][0]" of element 16 of an array with these extents; nothing if it has fewer elements.
std::optional<std::string> Subscripts(std::int64_t element, const std::vector<std::int64_t>& extents);

/// Why threads of a block do not come to a barrier.
struct MissedBarrier {
  enum class Why {
    kCondition,  ///< The barrier is inside an if whose condition is in `line`.
    kReturn,     ///< The function returns early in `line`.
  };
  Why why = Why::kCondition;
  int line = 0;
  friend bool operator==(const MissedBarrier&, const MissedBarrier&) = default;
};

/// Of the barrier in that line; nothing if the text does not show one reason alone.
std::optional<MissedBarrier> WhyMissed(std::string_view source, int barrier_line);

}  // namespace warplings
