// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: grow; grader_fault
// cudaMalloc of 2^63, -1, 0, 79 GB; memset of what was had.

#include "transpose_padded.h"

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const size_t n[] = {1ull << 63, ~0ull, ~0ull - 255, 0, 1ull << 47, 79ull << 30, 40ull << 30, 1ull << 40};
  for (size_t b : n) { void* p = nullptr; if (cudaMalloc(&p, b) == cudaSuccess && b) cudaMemset(p, 1, b); }
}
