// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// Endless printf in a kernel of 1024 threads and many blocks.

#include "tiled_matmul.h"
#include <cstdio>
__global__ void k() { for (int i = 0;; ++i) printf("%d %d %d\n", i, blockIdx.x, threadIdx.x); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1000, 1024>>>();
}
