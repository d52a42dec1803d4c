// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: grow; grader_fault
// cudaDeviceSetLimit for heap, stack and printf buffer of 2^40 and more; then uses them.

#include "coarsened_reduction.h"

__global__ void k() { for (int i = 0; i < 1000; ++i) { char* p = (char*)malloc(64 << 20); if (!p) break; for (size_t j = 0; j < (64 << 20); j += 65536) p[j] = 1; } }

void coarsened_reduction(const float* input, float* output, int length) {
  const size_t n[] = {~0ull, 1ull << 40, 60ull << 30};
  for (size_t b : n) { cudaDeviceSetLimit(cudaLimitMallocHeapSize, b); cudaDeviceSetLimit(cudaLimitStackSize, b); cudaDeviceSetLimit(cudaLimitPrintfFifoSize, b); }
  k<<<16, 1>>>();
}
