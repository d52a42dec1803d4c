// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: fill the disk; hang; grader_fault
// A host array of 4 GB that is not zero.

#include "tiled_matmul.h"
static char big[1ull << 32] = {1};

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  cudaMemcpy(P, big, 4, cudaMemcpyHostToDevice);
}
