// SPDX-License-Identifier: Apache-2.0
#pragma once

// out[i] = in[index[i]] for 0 <= i < n.
//
// in and out have n >= 1 floats in device memory, index has n ints there. index is a permutation: it has each
// of 0 to n - 1 once.
//
// Graded:
//   - out is right for every n and every permutation.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void gather(const float* in, const int* index, float* out, int n);
