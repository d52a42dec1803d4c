// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: grader_fault; pass
// cudaMallocAsync, memory pools and cudaMemPrefetchAsync.

#include "coarsened_reduction.h"

void coarsened_reduction(const float* input, float* output, int length) {
  void* p;
  cudaMallocAsync(&p, 1 << 20, 0);
  cudaMemsetAsync(p, 0, 1 << 20, 0);
  cudaFreeAsync(p, 0);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
}
