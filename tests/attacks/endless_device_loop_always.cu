// SPDX-License-Identifier: Apache-2.0
// verdict: time_limit
// finding: still running after 1000064 warp instructions of one block
// finding: still running after 100172 warp instructions of one block
// No kernel ever ends. The first two tests, of widths 1 and 2, give it its whole budget, the others a part: all thirteen
// would take half a minute.
#include "tiled_matmul.h"

__global__ void spin(volatile float* P, int width) {
  if (width > 2) {
    for (;;) P[0] = 1.0f;
  }
  for (;;) P[0] = 2.0f;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  spin<<<1, 32>>>(P, width);
}
