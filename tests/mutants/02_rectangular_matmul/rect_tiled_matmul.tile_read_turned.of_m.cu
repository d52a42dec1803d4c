// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: M's tile is read with its two indices swapped.
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[i][ty] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
