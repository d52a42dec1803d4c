// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// cudaDeviceReset and return.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  cudaDeviceReset();
}
