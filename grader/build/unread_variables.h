// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A variable that a function computes in vain: it returns another one.
struct UnreadVariable {
  std::string name, returned;
  int line = 0, return_line = 0;  ///< Of the last value that the variable gets, and of the return.
  friend bool operator==(const UnreadVariable&, const UnreadVariable&) = default;
};

/// The only variable of numbers in the function `entry` that is declared there with a value, gets another one
/// later, and stands nowhere else; nothing if the function does not end by returning another variable, or has
/// several such variables.
std::optional<UnreadVariable> FindUnreadVariable(std::string_view source, std::string_view entry);

}  // namespace warplings
