// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// One block of one thread keeps one row of sums in local memory; every element of M and N is loaded the least number of times.

#include "coarsened_matmul.h"

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int w) {
  const int r = blockIdx.x;
  if (threadIdx.x) return;
  for (int c = 0; c < w; ++c) P[r * w + c] = 0;
  for (int k = 0; k < w; ++k) {
    const float m = M[r * w + k];
    for (int c = 0; c < w; ++c) P[r * w + c] += m * N[k * w + c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  coarsened_matmul_kernel<<<width, 32>>>(M, N, P, width);
}
