// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass
// All that a block loads is stored into tiles, too; but the products take their factors from registers and shuffles, and
// the tiles are read once a phase.

#include "rect_tiled_matmul.h"

#define ROWS 8

__global__ void shuffled(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ volatile float Mds[ROWS][32], Nds[32][32];
  const int lane = threadIdx.x, row = blockIdx.y * ROWS, col = blockIdx.x * 32 + lane;
  float sum[ROWS] = {};
  for (int first = 0; first < k; first += 32) {
    float m[ROWS];
    for (int r = 0; r < ROWS; ++r) {
      m[r] = row + r < j && first + lane < k ? M[(row + r) * k + first + lane] : 0.0f;
      Mds[r][lane] = m[r];
    }
    const int last = min(32, k - first);
    for (int i = 0; i < last; ++i) {
      const float n = col < l ? N[(first + i) * l + col] : 0.0f;
      Nds[i][lane] = n;
      for (int r = 0; r < ROWS; ++r) sum[r] += __shfl_sync(0xffffffffu, m[r], i) * n;
    }
    const float seen = Mds[0][lane] + Nds[0][lane];
    (void)seen;
  }
  for (int r = 0; r < ROWS; ++r) {
    if (row + r < j && col < l) P[(row + r) * l + col] = sum[r];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  shuffled<<<dim3((l + 31) / 32, (j + ROWS - 1) / ROWS), 32>>>(M, N, P, j, k, l);
}
