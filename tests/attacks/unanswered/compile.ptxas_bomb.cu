// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// A kernel of 200,000 unrolled dependent statements: hours for an optimising assembler.

#include "tiled_matmul.h"
__global__ void k(float* p, int n) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = p[i];
#pragma unroll
  for (int i = 0; i < 20000; ++i) { a[i % 64] = a[(i * 7) % 64] * a[(i * 13) % 64] + __sinf(a[(i * 31) % 64]); if (a[i % 64] > n) a[(i + 1) % 64] /= a[(i + 2) % 64]; }
#pragma unroll
  for (int i = 0; i < 64; ++i) p[i] = a[i];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P, width);
}
