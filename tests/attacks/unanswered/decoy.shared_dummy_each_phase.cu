// SPDX-License-Identifier: Apache-2.0
// exercise: repair_tiled_matmul
// verdict: not passed
// must not: pass
// M and N are loaded into registers and handed round by shuffles; in each phase shared memory sees a dummy of each lane.

#include "repair_tiled_matmul.h"

#define ROWS 8

__global__ void shuffled(const float* M, const float* N, float* P, int width) {
  __shared__ volatile float dummy[32];
  const int lane = threadIdx.x, row = blockIdx.y * ROWS, col = blockIdx.x * 32 + lane;
  float sum[ROWS] = {};
  for (int first = 0; first < width; first += 32) {
    dummy[lane] = 0.0f;
    const float seen = dummy[lane];
    (void)seen;
    float m[ROWS];
    for (int r = 0; r < ROWS; ++r) {
      m[r] = row + r < width && first + lane < width ? M[(row + r) * width + first + lane] : 0.0f;
    }
    const int last = min(32, width - first);
    for (int k = 0; k < last; ++k) {
      const float n = col < width ? N[(first + k) * width + col] : 0.0f;
      for (int r = 0; r < ROWS; ++r) sum[r] += __shfl_sync(0xffffffffu, m[r], k) * n;
    }
  }
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < width && col < width) P[(row + r) * width + col] = sum[r];
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  shuffled<<<dim3((width + 31) / 32, (width + ROWS - 1) / ROWS), 32>>>(M, N, P, width);
}
