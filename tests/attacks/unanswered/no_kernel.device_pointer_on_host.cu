// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// Uses device pointers on the host, as if memory were shared.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  for (int r = 0; r < width; ++r)
    for (int c = 0; c < width; ++c) {
      float s = 0;
      for (int i = 0; i < width; ++i) s += M[r * width + i] * N[i * width + c];
      P[r * width + c] = s;
    }
}
