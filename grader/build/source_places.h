// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

/// A loop in the text.
struct SourceLoop {
  int line = 0;          ///< Of its `for`, `while` or `do`.
  std::string variable;  ///< "phase" of `for (int phase = 0; …`; empty if no header begins so.
  friend bool operator==(const SourceLoop&, const SourceLoop&) = default;
};

/// The innermost loop around both lines; nothing if no loop of one function has both.
std::optional<SourceLoop> LoopAround(std::string_view source, int first, int second);

/// Variables that are 0 in the first thread of the first block: `int row = blockIdx.y * T + threadIdx.y;`,
/// from the index of block and thread and from constants alone; constants begin with a capital letter, or
/// with k and one.
std::set<std::string> ZeroInFirstThread(std::string_view source);

/// What the text has that could keep a thread from an access.
struct AccessCheck {
  enum class Kind {
    kNone,       ///< Nothing: the access is in a kernel's body, and no condition or loop limits its index.
    kCondition,  ///< A condition: of an if around it, of an if before it that leaves, or of ?:.
  };
  Kind kind = Kind::kNone;
  int line = 0;  ///< Of the condition that comes last before the access.
  /// The comparison, <= or >, that lets the first index past the end through, and the one that would not;
  /// empty if the condition has none, or others beside it.
  std::string compares, should_compare;
  /// What the index is computed from and no condition before mentions: names but those of the function's
  /// parameters, and numbers that are added.
  std::vector<std::string> unmentioned;
  bool mentions_any = false;  ///< Whether one mentions something of the index.
  friend bool operator==(const AccessCheck&, const AccessCheck&) = default;
};

/// Of the accesses in that line to elements of arrays, those that load or those that store, and only those to
/// `array` if it has any; nothing if they are in several statements, or if what limits their indices is not
/// in sight.
std::optional<AccessCheck> CheckOfAccess(std::string_view source, int line, bool is_load,
                                         std::string_view array);

}  // namespace warplings
