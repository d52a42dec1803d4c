// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// How a thread stores to an array that it indexes by the array's own name.
struct OutputStores {
  /// Of the first loop around such a store; 0: one line stores, once for each thread.
  int loop_line = 0;
  friend bool operator==(const OutputStores&, const OutputStores&) = default;
};

/// Nothing if no line, or more than one outside all loops, stores to the array: `P[i] = …`, `P[i] += …`.
std::optional<OutputStores> FindOutputStores(std::string_view source, const std::string& array);

}  // namespace warplings
