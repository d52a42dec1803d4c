// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault
// Endless recursion on the host.

#include "tiled_matmul.h"
static int f(volatile int* p) { volatile int a[1000]; a[0] = *p + 1; return f(&a[0]) + a[0]; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  volatile int z = 0;
  cudaMemset(P, f(&z), 4);
}
