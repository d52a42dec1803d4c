// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grow; grader_fault
// A device array of 60 GB without an initialiser: nothing in the file, all in the device.

#include "tiled_matmul.h"
__device__ char big[60ull << 30];
__global__ void k(float* p) { *p = big[5]; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
}
