// SPDX-License-Identifier: Apache-2.0
// mistake: tiles are 32 deep along k and each thread loads two elements of each; the second one of N, in row n_row + 16,
//   is loaded under the check of the first (n_row < k): up to 16 rows behind N are read.
// want: Which row of N does the second load want, and which row does its condition ask about?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16
#define TILE_DEPTH 32

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_DEPTH];
  __shared__ float Nds[TILE_DEPTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (k + TILE_DEPTH - 1) / TILE_DEPTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_DEPTH + tx;
    const int n_row = phase * TILE_DEPTH + ty;

    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Mds[ty][tx + TILE_WIDTH] = row < j && m_col + TILE_WIDTH < k ? M[row * k + m_col + TILE_WIDTH] : 0.0f;

    if (n_row < k && col < l) {
      Nds[ty][tx] = N[n_row * l + col];
      Nds[ty + TILE_WIDTH][tx] = N[(n_row + TILE_WIDTH) * l + col];
    } else {
      Nds[ty][tx] = 0.0f;
      Nds[ty + TILE_WIDTH][tx] = 0.0f;
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < TILE_DEPTH; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
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
