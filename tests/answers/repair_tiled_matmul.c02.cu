// SPDX-License-Identifier: Apache-2.0
// mistake: instead of storing a zero in M's tile, the sum is guarded, but with the column that this thread loaded (m_col),
//   not with column k that it reads: in the last phase threads past the edge leave out products that exist, and the
//   others still read places of Mds that nobody wrote.
// want: In the last phase of width 17, which k have an element of M? Does that depend on tx?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      // what was not loaded must not be used
      if (m_col < width) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
