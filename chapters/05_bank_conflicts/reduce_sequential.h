// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sum of each segment of X.
//
// X holds n floats in device memory, n at least 1. A segment has SEGMENT = 256 elements: segment b is X[b
// * SEGMENT] to X[b * SEGMENT + SEGMENT - 1]; the last may be shorter. sums, in device memory too, has one
// float for each segment: sums[b] is the sum of segment b.
//
// Graded:
//   - sums is right for every n. Floats may be added in any order.
//   - No access to shared memory has a bank conflict.
//   - For each segment, warps diverge at 16 branches at most.
//   - X is loaded in whole sectors: at most 1.5 x n / 8 sectors of 32 bytes, and 2 more for each segment.
//   - Your kernel must do the work itself: chapters/grading.md has the rules and all limits in full.

#define SEGMENT 256

void reduce_sequential(const float* X, float* sums, int n);
