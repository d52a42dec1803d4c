// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/core/exercise_result.h"

namespace warplings {

// What a run calls by numbers, by its names in the source.

/// "`row`, `k` and `tx`".
Message ListNames(const std::vector<std::string>& names);

/// "`out`" for "argument 2": a kernel's parameter that points to memory of the submission's own; and which
/// unsigned index went below 0.
void NameKernelArguments(ExerciseResult& result);

/// "`mine[4]`" for an element of a local array.
void NameLocalArrayElements(ExerciseResult& result);

/// "`Nds[1][0]`" for "element 16 of shared array Nds".
void NameElements(ExerciseResult& result);

/// Threads that store to one element of a shared array because a row is shorter than the line takes it for.
void NameLongRows(ExerciseResult& result);

/// Values tell that each product has its factor from another row of M. Where the source multiplies elements
/// of two tiles that are both read at the thread's column, neither M's load nor P's store is at fault.
void NameTileReads(ExerciseResult& result);

/// Blocks that read what others write, because an index leaves another array: that is no matter of order.
void NameStrayedReads(ExerciseResult& result);

/// The same of shared memory: accesses of a line that names another shared array than they reach.
void NameStrayedSharedAccesses(ExerciseResult& result);

/// Memory that was allocated by a number of elements.
void NameElementAllocations(ExerciseResult& result);

/// Local memory that a kernel was given for an array: which one, and why it cannot be in registers.
void NameLocalArrays(ExerciseResult& result);

}  // namespace warplings
