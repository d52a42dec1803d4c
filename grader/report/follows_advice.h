// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "grader/core/exercise_result.h"

namespace warplings {

/// Whether an error that these tests have is the first advice's mistake once more. A report that lists it
/// under "After that" would announce a second mistake, which nobody finds:
///  - an access outside an array by products past the last one, by the row of M or the column of N that the
///    advice calls wrong, or by an index into the array that it or a cause after it names;
///  - a load of a factor of products that the advice calls wrong;
///  - an access outside an array, or a race in one, by indices with two sides exchanged;
///  - two stores to one element of an array of which the advice says that others are never stored;
///  - blocks that read what others store, by an index of a line whose accesses outside are the advice's;
///  - an access outside an array in a kernel that computes with an element of an array of the submission's
///    own which nobody has stored, where the advice is about that read;
///  - a read of an element that nobody has stored, where the advice is that its array lacks __shared__, or
///  that
///    threads return before a barrier;
///  - the refused launch that the advice is about;
///  - a grid without any block, where the advice is about elements that a grid with too few blocks leaves
///    out.
bool FollowsFromAdvice(const Finding& error, const std::set<std::string>& tests,
                       const ExerciseResult& result);

/// Elements that no thread has stored come first among the test's wrong ones.
bool LeavesUnwritten(const TestResult& test);

}  // namespace warplings
