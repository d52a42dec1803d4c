// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// A variable that is declared `__shared__`, no array, and that threads add to without atomicAdd.
struct SharedSum {
  std::string name;
  int line = 0;                ///< Of its declaration.
  std::vector<int> add_lines;  ///< `sum += ...`, in ascending order.
  /// Whether every thread means a sum of its own: it adds in a loop over numbers that are the same in all
  /// threads, and stores the sum in an element that only its own index says.
  bool is_own = false;
};

/// Of the variable with this name; nothing if it is declared twice.
std::optional<SharedSum> FindSharedSum(std::string_view source, const std::string& name);

}  // namespace warplings
