// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SEGMENT 256

// The sum of each segment of X. X holds n floats in device memory; segment b is X[b * SEGMENT] to X[b *
// SEGMENT + SEGMENT - 1], as many of them as exist, and sums[b] is its sum. sums, in device memory, too, has
// one float for each segment: n / SEGMENT, rounded up. n is at least 1. The function launches its kernel on
// the default stream, or waits until it has ended; X stays as it is.
//
// Graded besides the values:
//   - Kernels that the call launches are the last to store each element of sums; no copy and no memset is.
//   - They run before anything is copied from the device to the host, and before a kernel writes managed or
//     pinned memory; they do not both write and read such memory.
//   - The kernels load each element of X at least once and add it; for each segment the threads do at most
//     2048 additions, in at most 128 instructions of warps.
//   - No request to shared memory has a bank conflict; lanes of an atomic that take turns count as one.
//   - Warps diverge at most at 16 branches for each segment, and at as many more where the last one is not
//     full.
//   - At most 1.5 x n / 8 sectors of 32 bytes are loaded from global memory, and 2 more for each segment.
void reduce_sequential(const float* X, float* sums, int n);
