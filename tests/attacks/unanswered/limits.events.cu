// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// Two million events, each recorded.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 2000000; ++i) { cudaEvent_t e; if (cudaEventCreate(&e) != cudaSuccess) break; cudaEventRecord(e, 0); }
}
