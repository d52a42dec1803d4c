// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: fill the disk; hang; grow; grader_fault
// A device array of 1 GB with an initialiser: text in PTX.

#include "tiled_matmul.h"
__device__ char big[1u << 30] = {1};
__global__ void k(float* p) { *p = big[5]; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
}
