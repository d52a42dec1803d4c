// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the fetch ahead into registers checks the column and row of the phase in use, not those of the
//   phase it fetches for: at the last edge it reads past the rows of M and past the end of N. (2) a single
//   buffer with one barrier: registers are stored into tiles that other warps still multiply.
// want: which phase does the address belong to, and which phase the check? (Width 17, first phase.) After that:
//   count what separates the k loop from the next store into the tiles.
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. The tiles of the next phase are fetched into registers while those
// of this one are multiplied.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float next_m = row < width && tx < width ? M[row * width + tx] : 0.0f;
  float next_n = ty < width && col < width ? N[ty * width + col] : 0.0f;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    Mds[ty][tx] = next_m;
    Nds[ty][tx] = next_n;
    __syncthreads();

    if (phase + 1 < phases) {
      next_m = row < width && m_col < width ? M[row * width + m_col + TILE_WIDTH] : 0.0f;
      next_n = n_row < width && col < width ? N[(n_row + TILE_WIDTH) * width + col] : 0.0f;
    }

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
