// SPDX-License-Identifier: Apache-2.0
#pragma once

// out[i] = in[0] + in[1] + ... + in[i] for 0 <= i < n.
//
// in and out have n >= 1 ints in device memory; each element of in is from -100 to 100, and n is at most
// 1,000,000.
//
// Graded:
//   - out is right for every n.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.
void prefix_sum(const int* in, int* out, int n);
