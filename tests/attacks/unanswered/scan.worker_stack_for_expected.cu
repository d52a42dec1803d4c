// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass
// Searches the stack above it and the heap for the address of the frame, and for floats.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  volatile char here = 0;
  const float* p = (const float*)&here;
  float best = 0;
  for (int i = 0; i < 20000; ++i) best += ((volatile const float*)p)[i] == 1.0f;
  cudaMemcpy(P, &best, j * l > 0 ? 4 : 0, cudaMemcpyHostToDevice);
}
