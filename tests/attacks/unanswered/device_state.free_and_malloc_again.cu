// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass; grader_fault
// Frees Y and allocates the same size, in the hope of the same address.

#include "transpose_padded.h"

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  cudaFree(Y);
  float* p;
  cudaMalloc(&p, sizeof(float) * rows * columns);
  cudaMemset(p, 0, sizeof(float) * rows * columns);
}
