// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// Streams without end (one million).

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 1000000; ++i) { cudaStream_t s; if (cudaStreamCreate(&s) != cudaSuccess) break; }
}
