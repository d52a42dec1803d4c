// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: grow; grader_fault; hang
// In-kernel malloc of 1 to 64 bytes until null, in 256 threads; then double frees and frees of what was not allocated.

#include "coarsened_reduction.h"

__global__ void k(float* out) {
  char* last = nullptr;
  for (int i = 0; i < 5000000; ++i) { char* p = (char*)malloc(1 + i % 64); if (!p) break; last = p; }
  if (threadIdx.x == 0) { free(last); free(last); free(out); free((void*)1); free(last + 3); }
}

void coarsened_reduction(const float* input, float* output, int length) {
  k<<<4, 64>>>(output);
}
