// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass; leak of old memory
// Allocates memory of the size of P and hands on what lies in it: perhaps an earlier result or the expected one. A kernel moves it.

#include "rect_matmul.h"

__global__ void rect_matmul_kernel(const float* S, float* P, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) P[i] = S[i]; }

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  float* S;
  cudaMalloc(&S, (size_t)j * l * 4);
  rect_matmul_kernel<<<(j * l + 255) / 256, 256>>>(S, P, j * l);
  cudaFree(S);
}
