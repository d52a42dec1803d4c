// SPDX-License-Identifier: Apache-2.0
// mistake: the function returns as soon as one of the three sides is 0. With k = 0 (and j, l above 0) P does have
//   elements, each the sum of no products, and they keep whatever was in memory instead of becoming 0.
// want: M is 3 x 0 and N is 0 x 4: how many elements has P, and which value does the contract give them?

#include "rect_matmul.h"

#define THREADS 256

// One thread for each element of P, counted row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int k, int l, long long elements) {
  const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= elements) return;

  const long long row = index / l;
  const long long col = index % l;

  const float* m = M + row * k;
  const float* n = N + col;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    sum += m[i] * *n;
    n += l;
  }
  P[index] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // No products, no work (and a grid of 0 blocks is an error).
  const long long products = (long long)j * k * l;
  if (products == 0) return;

  const long long elements = (long long)j * l;
  const unsigned blocks = (unsigned)((elements + THREADS - 1) / THREADS);
  rect_matmul_kernel<<<blocks, THREADS>>>(M, N, P, k, l, elements);
}
