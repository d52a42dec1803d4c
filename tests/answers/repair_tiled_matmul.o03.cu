// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: M's tile has two buffers, N's only one, and there is one barrier in a phase: a fast warp
//   stores N's tile of phase 1 while a slow one still reads that of phase 0 (from width 17 on). For M one barrier is
//   enough. And M's row is not checked: at width 17, block (0, 1), thread (0, 1) loads M[17 * 17 + 0], one past the
//   last element, and those below still farther behind.
// want: Which barrier stands between a warp's last read of Nds in one phase and the next store to it? After that:
//   which rows of M do the threads of the lowest blocks ask for at width 17?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  // Two tiles taking turns: while slow warps read the one, the next phase fills the other.
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int now = phase & 1;
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // zero instead of what was left there
    Mds[now][ty][tx] = m_col < width ? M[row * width + m_col] : 0.0f;
    // the column has to exist
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[now][ty][k] * Nds[k][tx];
    }
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
