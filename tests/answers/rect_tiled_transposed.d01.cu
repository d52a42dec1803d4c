// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 32 x 8 threads, each with four rows of the tile. The sums are made for rows 4 * ty + r of the tile,
//   but stored in rows ty + 8 * r: within a tile the rows of P come out in another order.
// want: sums[1] of the threads with ty = 0: from which row of M is it made, and into which row of P do you store it?
#include "rect_tiled_transposed.h"

constexpr int TILE = 32;
constexpr int ROWS = 8;          // rows of threads in a block
constexpr int PER = TILE / ROWS;  // rows of P for each thread

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mts[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE + tx;
  const int m_row = top + tx;

  float sums[PER] = {};
  for (int start = 0; start < k; start += TILE) {
    for (int y = ty; y < TILE; y += ROWS) {
      const int i = start + y;
      Mts[y][tx] = i < k && m_row < j ? Mt[i * j + m_row] : 0.0f;
      Nds[y][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float n = Nds[i][tx];
#pragma unroll
      for (int r = 0; r < PER; ++r) sums[r] += Mts[i][ty * PER + r] * n;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < PER; ++r) {
    const int row = top + ty + r * ROWS;
    if (row < j && col < l) P[row * l + col] = sums[r];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE, ROWS);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
