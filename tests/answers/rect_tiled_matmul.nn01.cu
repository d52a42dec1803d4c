// SPDX-License-Identifier: Apache-2.0
// mistake: `sum =` in place of `sum +=`.
// want: Line 37 assigns to sum; it should add.

#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, all stored row by row.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  // TODO 2: which of the three sizes do the phases run through?
  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;  // the column of M that this thread loads
    const int n_row = phase * TILE_WIDTH + ty;  // the row of N that this thread loads

    // TODO 3: each check needs two limits, and each index needs the length of a row.
    Mds[ty][tx] = row < j && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[ty][tx] = n_row < k && col < l ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum = Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  // TODO 4: the same for P.
  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // TODO 5: how many tiles does P have from left to right, and from top to bottom? What if a size is 0?
  const int tiles_x = (l + TILE_WIDTH - 1) / TILE_WIDTH;
  const int tiles_y = (j + TILE_WIDTH - 1) / TILE_WIDTH;
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles_x, tiles_y);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
