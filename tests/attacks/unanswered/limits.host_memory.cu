// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang; grow beyond a few GB; grader_fault
// Allocates and touches host memory until there is none (at most 16 GB).

#include "tiled_matmul.h"
#include <cstdlib>
#include <cstring>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  for (int i = 0; i < 256; ++i) { char* p = (char*)malloc(64 << 20); if (!p) break; memset(p, 1, 64 << 20); }
}
