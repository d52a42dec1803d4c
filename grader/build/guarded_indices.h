// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warplings {

// An element `a[row * length + column]` and the condition beside it, in one statement and one line. Each
// function says nothing in doubt.

/// `r < rows && c < columns ? a[c * columns + r]`: what the condition limits to the length is multiplied by
/// it, and the source has other rows of that length.
struct ExchangedIndex {
  std::string written, should_be;  ///< "c * columns + r", "r * columns + c"
  std::string column, length;      ///< "c", "columns"
};
std::optional<ExchangedIndex> FindExchangedIndex(std::string_view source, int line);

/// `row < n && m_col < n ? a[n_row * n + col]`: a condition about two other indices.
struct GuardOfOthers {
  int line = 0;
  std::string written;  ///< "n_row * n + col"
  std::pair<std::string, std::string> tested, used;
};
std::optional<GuardOfOthers> FindGuardOfOthers(std::string_view source);

}  // namespace warplings
