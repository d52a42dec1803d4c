// SPDX-License-Identifier: Apache-2.0
// mistake: each block computes two tiles of P side by side, and the grid has tiles / 2 blocks from left to right, rounded
//   down: where the number of tiles is odd and more than 1, nobody computes the last column of tiles.
// want: l is 48: how many tiles are that from left to right, and how many of them do your blocks cover?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// A block fetches M's tile once and uses it for two tiles of N.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int left = 2 * blockIdx.x * TILE_WIDTH + tx;
  const int right = left + TILE_WIDTH;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum_left = 0.0f;
  float sum_right = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[0][ty][tx] = n_row < k && left < l ? N[n_row * l + left] : 0.0f;
    Nds[1][ty][tx] = n_row < k && right < l ? N[n_row * l + right] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      const float m = Mds[ty][i];
      sum_left += m * Nds[0][i][tx];
      sum_right += m * Nds[1][i][tx];
    }
    __syncthreads();
  }

  if (row < j && left < l) P[row * l + left] = sum_left;
  if (row < j && right < l) P[row * l + right] = sum_right;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const int tiles_x = (l + TILE_WIDTH - 1) / TILE_WIDTH;
  const int tiles_y = (j + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles_x > 1 ? tiles_x / 2 : 1, tiles_y);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
