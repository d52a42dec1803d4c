// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/core/exercise_result.h"

namespace warplings {

/// Adds to a result with tests what only the submission's text shows; changes no verdict:
///  - warnings about variables without a value and quotients that are rounded too early;
///  - a slip (grader/build/idioms.h) as the first advice if tests failed, otherwise as a warning;
///  - as such a slip: a host pointer that a kernel uses, and cudaMalloc over the caller's pointer
///    (grader/build/replaced_pointers.h);
///  - as such a slip: an index that is limited to a length, in a line with an access out of bounds;
///  - as such a slip: blocks of one row where the kernel uses threadIdx.y, and an array without __shared__
///    (grader/build/thread_indices.h);
///  - as such a slip: blocks that all do the same, because the kernel never uses blockIdx of an axis, or store to
///    one element (grader/build/block_indices.h); an index whose row and column are exchanged, and a
///    condition about other indices than the one beside it (grader/build/guarded_indices.h);
///  - as such a slip: a memset or a copy after the launch that wipes its results, or that fills too late what it
///    reads (grader/build/host_code.h);
///  - the names of a kernel's parameters, in place of "argument 2" (grader/build/argument_names.h);
///  - which unsigned index went below 0 (grader/build/wrapped_index.h);
///  - the subscripts of an element of a shared array, in place of its number: `Nds[1][0]`;
///  - the line that reads two tiles at the same index of the thread, where values tell of a wrong row or
///  column;
///  - a variable of whole numbers in which floats are added up (grader/build/whole_variables.h);
///  - cudaMalloc with a number of elements in place of bytes (grader/build/element_allocations.h);
///  - two threads that store to one element, where no condition keeps threads without an element away;
///  - reads of an array that come from an index into another one (grader/build/strayed_reads.h);
///  - the line of a refused call or launch, and of host code that uses device memory
///  (grader/build/host_code.h);
///  - the copy that writes the output in a kernel's place;
///  - the lines in which host code that divided by zero may have done so (grader/build/host_divisions.h);
///  - why threads missed a barrier: a condition, or an early return;
///  - a row length that is wrong in an index that leaves its array, or in a division that gives a row
///    (grader/build/row_lengths.h); a remainder by another divisor, a load by the other index of its block,
///    and loads of four floats that ask for another array's side;
///  - which condition did not keep a thread from an access out of bounds, or that there is none; or that the
///    pointer was moved or passed outside (grader/build/moved_pointers.h);
///  - a loop over shuffles that ends too early (grader/build/own_shuffles.h), and a __syncwarp() between two
///    warps that race;
///  - the loop with whose other passes a race is, and a step of a tree that no condition keeps a thread from
///    (grader/build/race_loops.h);
///  - a loop that stores a fixed number of elements, and a condition that compares the column of P with k;
///  - how right values come without a load from shared memory (grader/build/shared_reads.h);
///  - the line of an access out of bounds that the compiler moved (grader/build/moved_accesses.h);
///  - as the first sentence of a misconception: the check that is missing, the variable that outlives a call
///    (grader/build/kept_variables.h), and variables of a small type (grader/build/narrow_variables.h);
///  - that threads of a block change one element, or add to one in shared memory
///    (grader/build/lost_changes.h).
void AddSourceNotes(ExerciseResult& result);

}  // namespace warplings
