// SPDX-License-Identifier: Apache-2.0
#pragma once

// out[i] = 2 * in[i] for 0 <= i < n.
//
// in and out are arrays of n floats in device memory. The elements of in are finite; n is at least 1.
//
// Graded:
//   - out is right for every n.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void @EXERCISE@(const float* in, float* out, int n);
