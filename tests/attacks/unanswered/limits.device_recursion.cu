// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grow; grader_fault; hang
// Endless recursion in a kernel, 100,000 threads.

#include "tiled_matmul.h"
__device__ __noinline__ int f(int n, volatile int* p) { volatile int a[100]; a[n % 100] = *p; return f(n + 1, a) + a[n % 7]; }
__global__ void k(int* p) { *p = f(0, p); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<400, 256>>>((int*)P);
}
