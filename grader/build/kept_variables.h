// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplings {

/// A variable that outlives a call of the submission's function.
struct KeptVariable {
  int line = 0;
  std::string name;
  bool is_array = false;
  /// The source only adds to it, by ++, += or atomicAdd, and reads it: nothing sets it back.
  bool is_only_counted_up = false;
  /// It points to memory that the source can change.
  bool is_pointer = false;
  /// It points to memory that the source cannot change, and is compared with another address.
  bool is_compared_address = false;
  /// Atomic operations are all that changes it, and none of them sets it back in time.
  bool is_only_atomic = false;
  /// It points to memory that the host sets in each call.
  bool is_set_in_each_call = false;
  friend bool operator==(const KeptVariable&, const KeptVariable&) = default;
};

/// Static variables, and those outside of functions: __device__ variables and the host's; no constants. In
/// the order of the source.
std::vector<KeptVariable> FindKeptVariables(std::string_view source);

}  // namespace warplings
