// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/build/idioms.h"

namespace warplings {

/// `cudaMalloc(&P, ...)` where P is a parameter that its function has not used before: the caller's array can
/// no longer be reached then. Nothing if P is a reference or a pointer to a pointer, which hand the new
/// memory to the caller.
std::optional<Slip> FindReplacedPointer(std::string_view source);

}  // namespace warplings
