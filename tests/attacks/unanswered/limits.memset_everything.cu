// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// A memset of 100 MB, a hundred thousand times, asynchronously.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  char* d;
  cudaMalloc(&d, 100 << 20);
  for (int i = 0; i < 100000; ++i) cudaMemsetAsync(d, i, 100 << 20, 0);
  cudaDeviceSynchronize();
}
