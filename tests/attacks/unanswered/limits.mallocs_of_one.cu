// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: grow; grader_fault
// 100,000 times cudaMalloc(1), never freed.

#include "reduce_sequential.h"

void reduce_sequential(const float* X, float* sums, int n) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 100000; ++i) { void* p; if (cudaMalloc(&p, 1) != cudaSuccess) break; }
}
