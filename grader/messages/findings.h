// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/messages/table.inc"

namespace warplings::say {
#include "grader/messages/findings.inc"

/// "argument 2 (4,096 bytes)"; an object that has its size in its name, "an allocation of 4,096 bytes", as it
/// is.
inline Message WithSize(const Message& object, std::int64_t bytes) {
  return an_allocation.Made(object) ? object : with_size(object, Count(bytes, "byte"));
}
}  // namespace warplings::say

#undef MESSAGE
