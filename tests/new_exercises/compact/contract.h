// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies the elements of in that are greater than 0 to the beginning of out, without gaps and in their order.
// Returns how many it copied.
//
// in and out have n ints in device memory; n is from 1 to 1,000,000. The elements of out after the copied
// ones stay as they are.
//
// Graded:
//   - The copied elements and the returned count are right for every n.
//   - The places do not depend on the order in which threads and blocks run.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
int compact(const int* in, int* out, int n);
