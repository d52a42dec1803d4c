// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang; grow; grader_fault
// #line names /dev/zero, a FIFO-like place and a very high line: the report that quotes source reads it.

#include "tiled_matmul.h"
#line 2000000000 "/dev/zero"
__global__ void k(float* p) { p[-5000000] = 1; }
#line 7 "/dev/stdin"
__global__ void k2(float* p) { p[-5000000] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
  k2<<<1, 1>>>(P);
}
