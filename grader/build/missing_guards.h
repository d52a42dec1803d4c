// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "grader/core/finding.h"

namespace warplings {

/// The condition that an access lacks: `if (i < n)`.
struct MissingGuard {
  std::string index;   ///< "i", each thread's number.
  std::string length;  ///< "n", a parameter of the kernel.
};

/// Of an access past the end of the array that is argument `number` of its kernel, from 1: where the array is
/// indexed by the thread's number, no condition limits that, and the source allocates as many elements as the
/// kernel is given as a parameter. Nothing in doubt.
std::optional<MissingGuard> FindMissingGuard(std::string_view source, const Finding& finding,
                                             std::size_t number);

}  // namespace warplings
