// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// exit(0) in the first call.

#include "tiled_matmul.h"
#include <cstdlib>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  exit(0);
}
