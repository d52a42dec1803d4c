// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// 10,000 launches a call, each of them just short.

#include "coarsened_matmul.h"
__global__ void k(float* p) { for (int i = 0; i < 2000; ++i) p[0] += 1; }

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  for (int i = 0; i < 1000000; ++i) k<<<8, 32>>>(P);
}
