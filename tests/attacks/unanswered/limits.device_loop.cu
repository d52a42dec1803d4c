// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Endless loop in a kernel.

#include "tiled_matmul.h"
__global__ void k(volatile float* p) { while (p[0] != 12345.0f) {} }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 32>>>(P);
}
