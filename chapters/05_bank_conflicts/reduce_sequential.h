// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SEGMENT 256

// The sum of each segment of X. X holds n floats in device memory; segment b is X[b * SEGMENT] to
// X[b * SEGMENT + SEGMENT - 1], as many of them as exist, and sums[b] is its sum. sums, in device memory,
// too, has one float for each segment: n / SEGMENT, rounded up. n is at least 1. The function launches its
// kernel on the default stream; X stays as it is.
//
// Graded besides the result: no request to shared memory has a bank conflict; in a segment, warps diverge
// at most at 16 branches; and X is read in whole 32-byte sectors.
void reduce_sequential(const float* X, float* sums, int n);
