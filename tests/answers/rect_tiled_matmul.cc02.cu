// SPDX-License-Identifier: Apache-2.0
// mistake: a thread adds up rows ty * 4 + i of the tile and stores them as rows ty + 8 * i. Only thread row 0's first
//   and thread row 7's last agree. j = 2: row 1 of P is stored by ty = 1, i = 0, which has the sum of tile
//   row 4, so 0. The load of M's tile, eight columns by 32 rows, fills whole sectors and is right.
// want: thread ty = 1 and its sum acc[0]: which row of M's tile went into it, and which row of P gets it?
#include "rect_tiled_matmul.h"

namespace {
constexpr int ROWS = 32;   // of P's tile
constexpr int COLS = 32;   // of P's tile
constexpr int DEPTH = 8;   // along k
constexpr int EACH = 4;    // rows per thread
}

__global__ void slim_tiles(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[ROWS][DEPTH];
  __shared__ float b[DEPTH][COLS];

  const int tx = threadIdx.x;  // 0..31
  const int ty = threadIdx.y;  // 0..7
  const int tid = ty * COLS + tx;
  const int ar = tid / DEPTH;  // eight threads fill one row of a: 32 bytes
  const int ac = tid % DEPTH;

  const int top = blockIdx.y * ROWS;
  const int left = blockIdx.x * COLS;

  float acc[EACH] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int base = 0; base < k; base += DEPTH) {
    a[ar][ac] = top + ar < j && base + ac < k ? M[(size_t)(top + ar) * k + base + ac] : 0.0f;
    b[ty][tx] = base + ty < k && left + tx < l ? N[(size_t)(base + ty) * l + left + tx] : 0.0f;
    __syncthreads();
    for (int d = 0; d < DEPTH; ++d) {
      const float n = b[d][tx];
#pragma unroll
      for (int i = 0; i < EACH; ++i) acc[i] += a[ty * EACH + i][d] * n;
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < EACH; ++i) {
    const int row = top + ty + i * DEPTH;
    const int col = left + tx;
    if (row < j && col < l) P[(size_t)row * l + col] = acc[i];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + COLS - 1) / COLS, (j + ROWS - 1) / ROWS);
  slim_tiles<<<grid, dim3(COLS, DEPTH)>>>(M, N, P, j, k, l);
}
