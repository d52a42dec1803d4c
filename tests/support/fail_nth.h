// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace warplings {

enum class FaultKind { kAllocation, kMapping, kDescriptor, kThread };
inline constexpr int kFaultKinds = 4;

/// Memory that a test shares with device processes, or with those of another program, into which fail_nth.cc
/// is preloaded. Several count together.
struct FailNth {
  /// Environment variable with the number of the shared memory's descriptor, or with the path of its file.
  static constexpr const char* kVariable = "WARPLINGS_FAIL_NTH";
  /// Environment variable with a part of the program's name; default: "device".
  static constexpr const char* kProgramVariable = "WARPLINGS_FAIL_NTH_PROGRAM";

  FaultKind kind = FaultKind::kAllocation;
  unsigned long n = 0;            ///< Which request of that kind fails, counted from 1; 0: none.
  unsigned long least_bytes = 0;  ///< Smaller allocations are not counted, and do not fail.
  std::atomic<bool> fired = false;
  std::atomic<unsigned long> counts[kFaultKinds] = {};  ///< Requests so far, by kind.
};

}  // namespace warplings
