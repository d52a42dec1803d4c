// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault
// A kernel in which one block frees heap memory that the others go on using; and free() of cudaMalloc memory in use.

#include "tiled_matmul.h"

__device__ float* shared_heap;
__global__ void make() { shared_heap = (float*)malloc(1 << 16); }
__global__ void k(float* P) {
  float s = 0;
  for (int i = 0; i < 1000; ++i) {
    s += shared_heap[threadIdx.x + (i % 8) * 256];
    if (blockIdx.x == 3 && threadIdx.x == 0 && i == 500) free(shared_heap);
    shared_heap[threadIdx.x] = s;
  }
  P[0] = s;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  make<<<1, 1>>>();
  k<<<64, 256>>>(P);
}
