// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Block 0 waits for the last block of a grid that does not fit.

#include "coarsened_matmul.h"
__device__ volatile int flag;
__global__ void k() { if (blockIdx.x + 1 == gridDim.x) flag = 1; else while (!flag) __nanosleep(1000000); }

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  k<<<100000, 1024>>>();
}
