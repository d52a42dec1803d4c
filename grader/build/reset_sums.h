// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A sum that begins anew in every round of a loop which adds to it, although it is read only after the loop.
struct ResetSum {
  std::string name, loop_variable;
  int line = 0, loop_line = 0;
  friend bool operator==(const ResetSum&, const ResetSum&) = default;
};

/// The first one: `for (phase...) { for (c...) sum[c] = 0; ... sum[c] += ...; }`, where `sum` is declared
/// before the loop, and its element does not depend on the loop's variable.
std::optional<ResetSum> FindResetSum(std::string_view source);

}  // namespace warplings
