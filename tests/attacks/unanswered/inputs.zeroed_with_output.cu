// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Clears M, N and P: 0 x 0 = 0, if the expectation is made afterwards.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const size_t b = sizeof(float) * width * width;
  cudaMemset((void*)M, 0, b);
  cudaMemset((void*)N, 0, b);
  cudaMemset(P, 0, b);
}
