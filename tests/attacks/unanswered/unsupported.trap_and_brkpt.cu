// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; pass
// trap, exit in a divergent warp, brkpt.

#include "tiled_matmul.h"
__global__ void k(float* p) { if (threadIdx.x == 40) asm volatile("brkpt;"); if (threadIdx.x % 3 == 1) asm volatile("exit;"); if (threadIdx.x == 33) __trap(); p[threadIdx.x] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<4, 64>>>(P);
}
