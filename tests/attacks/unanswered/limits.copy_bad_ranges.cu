// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: grader_fault; hang
// Copies of 2^63 bytes, from null, to null, overlapping, with pitches that overflow, with kinds that do not exist.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  char b[64];
  cudaMemcpy(P, b, ~0ull, cudaMemcpyHostToDevice); cudaMemcpy(b, P, 1ull << 40, cudaMemcpyDeviceToHost); cudaMemcpy(P, nullptr, 64, cudaMemcpyHostToDevice);
  cudaMemcpy(nullptr, P, 64, cudaMemcpyDeviceToHost); cudaMemcpy(P, P + 1, 64, cudaMemcpyDeviceToDevice); cudaMemcpy(P, b, 4, (cudaMemcpyKind)77);
  cudaMemcpy2D(P, ~0ull, b, ~0ull, 16, 1ull << 62, cudaMemcpyHostToDevice); cudaMemcpy2D(P, 1, b, 1, ~0ull, ~0ull, cudaMemcpyHostToDevice); cudaMemcpy2D(P, 1ull << 63, b, 8, 8, 3, cudaMemcpyDefault);
  cudaMemset(P, 0, ~0ull); cudaMemset2D(P, 1ull << 62, 0, 1ull << 61, 8); cudaMemset(nullptr, 0, 8);
  cudaMemcpyAsync(b, P, 1ull << 45, cudaMemcpyDeviceToHost, 0);
}
