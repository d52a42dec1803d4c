// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "grader/core/finding.h"
#include "grader/device/byte_ranges.h"
#include "grader/device/device.h"

namespace warplings {

/// An array in global memory, as findings name it.
struct NamedArray {
  DevicePointer start = 0;
  std::uint64_t bytes = 0;
  Message name;                 ///< "M", "argument 2", "an allocation of 4,096 bytes"
  bool is_host_memory = false;  ///< Managed or pinned.
};

/// What one operation did with an array; the ranges are of addresses. *Strong* accesses (atomic, volatile,
/// with a memory order) do not race with each other.
struct ArrayAccesses {
  NamedArray array;
  ByteRanges read, written, strongly_read, strongly_written;
  ByteRanges changed;  ///< Of `written`: where another value was before.
  /// Some of it is compared and swapped. A plain read is then a look before a swap, which fails if the look
  /// is out of date.
  bool swaps = false;
  /// An instruction that accessed the array, and the range that holds all its accesses.
  struct Line {
    SourceLine where;
    bool writes = false;
    ByteRange range;
  };
  std::vector<Line> lines;
};

struct LaunchAccesses {
  std::vector<ArrayAccesses> arrays;
  /// The kernel orders its accesses with fences, so that another kernel may wait for its values, …
  bool signals = false;
  /// … and has a loop that may wait for another's.
  bool waits = false;
};

}  // namespace warplings
