// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// Overwrites the stack of its caller with zeros and returns.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  volatile char here[16];
  for (int i = 0; i < 4096; ++i) ((volatile char*)here)[i] = 0;
}
