// SPDX-License-Identifier: Apache-2.0
// mistake: the host function leaves when any side is 0, also for k == 0; then P exists and has to be filled with
//   zeros (the sum of no products), but nothing is written.
// want: P is j x l. Which of the three sides being 0 leaves P without elements, and what is an element of P
//   when its sum has no products?
#include "rect_matmul.h"

#define THREADS 256

// P = M x N. One-dimensional: element e of P is in row e / l and column e % l; grid-stride.
__global__ void rect_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N,
                                   float* __restrict__ P, int j, int k, int l) {
  const int elements = j * l;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < elements; e += gridDim.x * blockDim.x) {
    const int row = e / l;
    const int col = e - row * l;
    const float* m = M + row * k;
    const float* n = N + col;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i, n += l) {
      sum += m[i] * *n;
    }
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // A grid of no blocks is an error, so nothing is launched for empty matrices.
  if (j == 0 || k == 0 || l == 0) return;
  const int blocks = (j * l + THREADS - 1) / THREADS;
  rect_matmul_kernel<<<blocks < 1024 ? blocks : 1024, THREADS>>>(M, N, P, j, k, l);
}
