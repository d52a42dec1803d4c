// SPDX-License-Identifier: Apache-2.0
// mistake: 1. one block for each row of P, with at most 256 threads, one element a thread: columns from 256 on are never
//   computed. 2. returns without a launch where k is 0, so that P keeps what it held instead of zeros.
// want: l is 300: which thread computes P[0][299]? (Then: what is the sum of no products, and who stores it?)
#include "rect_matmul.h"

// Block r makes row r of P, thread c column c.
__global__ void one_row(const float* M, const float* N, float* P, int k, int l) {
  const float* m = M + blockIdx.x * k;
  const int c = threadIdx.x;
  if (c >= l) return;

  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum = fmaf(m[i], N[i * l + c], sum);
  P[blockIdx.x * l + c] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // Nothing to multiply.
  if (j == 0 || k == 0 || l == 0) return;

  const int threads = l < 256 ? l : 256;
  one_row<<<j, threads>>>(M, N, P, k, l);
}
