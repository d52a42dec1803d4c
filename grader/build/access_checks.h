// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/unchecked_sums.h"

namespace warplings {

// What the text of a submission tells about the conditions that could keep a thread from an access.

/// Variables that are 0 in the first thread of the first block: `int row = blockIdx.y * T + threadIdx.y;`,
/// from the index of block and thread and from constants alone; constants begin with a capital letter, or
/// with k and one.
std::set<std::string> ZeroInFirstThread(std::string_view source);

/// Whether every thread of a kernel comes to that line: in front of it the kernel has no condition, and no
/// loop but those that begin at a number, as over the features of a sample.
bool EveryThreadRuns(std::string_view source, int line);

/// Comparisons with lengths that are joined with the wrong operator: `row < n || col < n` around an access,
/// or `if (row >= n && col >= n) return;` before it.
struct JoinedComparisons {
  int line = 0;
  std::string written;  ///< "row < n || col < n"
  bool leaves = false;  ///< Where it is true, a thread does not come to the access.
  friend bool operator==(const JoinedComparisons&, const JoinedComparisons&) = default;
};

/// What the text has that could keep a thread from an access.
struct AccessCheck {
  enum class Kind {
    kNone,       ///< Nothing: the access is in a kernel's body, and no condition or loop limits its index.
    kCondition,  ///< A condition: of an if around it, of an if before it that leaves, or of ?:.
  };
  Kind kind = Kind::kNone;
  int line = 0;  ///< Of the condition that comes last before the access.
  /// The comparison, <= or >, that lets the first index past the end through, and the one that would not:
  /// "a <= n" and "a < n" where others are beside it. Empty if the condition has none.
  std::string compares, should_compare;
  /// What the index is computed from and no condition before mentions: names but those of the function's
  /// parameters, and numbers that are added.
  std::vector<std::string> unmentioned;
  /// Whether that comparison is of the index's column with the length of a row, so that the index past the
  /// end is the next row's first: `i > n` before `y[f * n + i]`.
  bool lets_next_row = false;
  bool mentions_any = false;  ///< Whether one mentions something of the index.
  std::optional<JoinedComparisons> joined;
  std::optional<SumCheck> sums;  ///< Where index and conditions are sums of products: how these compare.
  friend bool operator==(const AccessCheck&, const AccessCheck&) = default;
};

/// Of the accesses in that line to elements of arrays, those that load or those that store, and only those to
/// `array` if it has any; nothing if they are in several statements, or if what limits their indices is not
/// in sight. `zero`: names that are 0 in the thread that is meant, and are not to blame.
std::optional<AccessCheck> CheckOfAccess(std::string_view source, int line, bool is_load,
                                         std::string_view array, const std::set<std::string>& zero = {});

/// Whether the line uses several elements of one array by their numbers: `from[0], from[1]`.
bool HasNeighbours(std::string_view source, int line);

/// An index that is limited to a length, where the last element is one before.
struct ClampToLength {
  std::string written, length;  ///< "min(col, width)", "width".
  friend bool operator==(const ClampToLength&, const ClampToLength&) = default;
};

/// The only one in an index in that line, if its length is a parameter of the function.
std::optional<ClampToLength> FindClampToLength(std::string_view source, int line);

}  // namespace warplings
