// SPDX-License-Identifier: Apache-2.0
// mistake: Where k is 0, cudaMemset gets j * l as its count, but it counts bytes: only a quarter of P becomes 0. Case:
//   j 4, k 0, l 4: P[0] to P[3] are set, P[4] to P[15] keep what was there. For k above 0 all is right.
// want: What does the third argument of cudaMemset count, and how much of P is 0 after it when j = l = 4?
#include "rect_matmul.h"

// A thread computes two elements of P, one below the other: they share the column of N.
__global__ void two_rows(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.x * 32 + threadIdx.x;
  const int upper = 2 * (blockIdx.y * 8 + threadIdx.y);
  const int lower = upper + 1;
  if (col >= l || upper >= j) return;

  float a = 0.0f, b = 0.0f;
  const float* m0 = &M[upper * k];
  const float* m1 = lower < j ? m0 + k : m0;
  for (int i = 0; i < k; i++) {
    const float n = N[i * l + col];
    a += m0[i] * n;
    b += m1[i] * n;
  }
  P[upper * l + col] = a;
  if (lower < j) P[lower * l + col] = b;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  if (k == 0) {
    // nothing to add up
    cudaMemset(P, 0, j * l);
    return;
  }
  const dim3 block(32, 8);
  const dim3 grid((l + 31) / 32, (j + 15) / 16);
  two_rows<<<grid, block>>>(M, N, P, j, k, l);
}
