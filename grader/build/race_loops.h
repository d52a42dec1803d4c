// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "grader/build/source_places.h"
#include "grader/core/finding.h"

namespace warplings {

/// The loop whose next pass stores in one line what threads may still have to read in the other: the
/// innermost loop around both that has no barrier on the way from the read to the store of its next pass.
/// Where the store is in a lambda or another function, the line that calls it counts. Nothing if no loop, or
/// no single one, is like that.
std::optional<SourceLoop> LoopOfNextPass(std::string_view source, int store, int read);

/// Whether the line is the only statement of a kernel's loop with elements, adds one element of an array to
/// another, `a[t] += a[t + s]`, and no condition keeps a thread from it.
bool AddsInAllThreads(std::string_view source, int line);

/// A line that adds one element of an array to another in each step of a tree, `a[t] += a[t + s]`, under a
/// condition that keeps away the threads whose elements are read in the same step, in a loop without a
/// barrier: nothing orders it with the next step. The line of that loop.
std::optional<int> FindStepWithoutBarrier(std::string_view source, int line);

/// Whether no more than one warp of the kernel's blocks comes to that line: all its launches have blocks of
/// at most 32 threads, or a condition around it keeps the threads below 32: `t < 32`. Not in doubt.
bool RunsInOneWarp(std::string_view source, int line, std::string_view kernel);

/// Whether all launches of the kernel are written with a grid of one block, `<<<1, n>>>`.
bool HasOneBlock(std::string_view source, std::string_view kernel);

/// Says of a race within a block between which two passes of a loop a barrier is missing, where the source
/// has one between the two lines, or both accesses are the step of a tree in one line.
void NamePassesOfRace(Finding& finding, std::string_view source);

}  // namespace warplings
