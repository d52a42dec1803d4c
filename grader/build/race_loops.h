// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/build/source_places.h"

namespace warplings {

/// The loop whose next pass stores in one line what threads may still have to read in the other: the
/// innermost loop around both that has no barrier on the way from the read to the store of its next pass.
/// Where the store is in a lambda or another function, the line that calls it counts. Nothing if no loop, or
/// no single one, is like that.
std::optional<SourceLoop> LoopOfNextPass(std::string_view source, int store, int read);

/// Whether the line is the only statement of a kernel's loop with elements, adds one element of an array to
/// another, `a[t] += a[t + s]`, and no condition keeps a thread from it.
bool AddsInAllThreads(std::string_view source, int line);

}  // namespace warplings
