// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: grow; grader_fault
// malloc 1 MB, memset, free, 20,000 times.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 20000; ++i) { void* p; if (cudaMalloc(&p, 1 << 20) != cudaSuccess) break; cudaMemset(p, 1, 1 << 20); cudaFree(p); }
}
