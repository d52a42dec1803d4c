// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of each segment of X.
//
// X holds n floats in device memory, n at least 1. A segment has SEGMENT = 256 elements: segment b begins
// at X[b * SEGMENT]. The last segment may be shorter. sums, also in device memory, has one float for each
// segment: sums[b] is the sum of segment b.
//
// Graded:
//   - sums is right for every n. Floats may be added in any order.
//   - No access to shared memory has a bank conflict.
//   - There are at most 16 divergent branches per segment. Each time the lanes of a warp take different
//     paths at a branch, that counts as one.
//   - Loads are coalesced: they fetch at most 1.5 x n / 8 + 2 x ceil(n / 256) sectors of 32 bytes. (X
//     fills about n / 8.)
//   - On a real GPU, speed earns points, too, once all tests pass.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all further limits.

#define SEGMENT 256

void reduce_sequential(const float* X, float* sums, int n);
