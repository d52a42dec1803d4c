// SPDX-License-Identifier: Apache-2.0
// mistake: a thread has four rows, and two ideas of which: it adds up rows ty * 4 + q of the tile, and stores them as
//   rows ty + 8 * q.
// want: Which rows of the tile does the thread with ty = 1 add up, and which rows of P does it store?
#include "rect_tiled_matmul.h"

#define TILE 32
#define ROWS 8  // threads in y; each has TILE / ROWS rows

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int col = blockIdx.x * TILE + tx;
  const int phases = (k + TILE - 1) / TILE;

  float acc[TILE / ROWS] = {};

  for (int p = 0; p < phases; ++p) {
    // 32 x 8 threads load 32 x 32 elements: four rounds
    for (int y = ty; y < TILE; y += ROWS) {
      const int m_row = top + y;
      const int m_col = p * TILE + tx;
      const int n_row = p * TILE + y;
      Mds[y][tx] = m_row < j && m_col < k ? M[m_row * k + m_col] : 0.0f;
      Nds[y][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TILE; ++i) {
      const float n = Nds[i][tx];
      for (int q = 0; q < TILE / ROWS; ++q) {
        acc[q] += Mds[ty * (TILE / ROWS) + q][i] * n;
      }
    }
    __syncthreads();
  }

  for (int q = 0; q < TILE / ROWS; ++q) {
    const int row = top + ty + q * ROWS;
    if (row < j && col < l) {
      P[row * l + col] = acc[q];
    }
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE, ROWS);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
