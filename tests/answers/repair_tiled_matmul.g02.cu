// SPDX-License-Identifier: Apache-2.0
// mistake: with two buffers one barrier a phase is enough, but none stands between the first fetch and the first
//   use: in phase 0 threads read tile elements that other warps may not have stored yet (a race; wrong sums by luck
//   of timing).
// want: Your barrier at the end of phase p makes the tiles for phase p + 1 ready. Which barrier makes the tiles of
//   phase 0 ready?

#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

typedef float Tile[TILE_WIDTH][TILE_WIDTH];

__device__ void fetch(Tile Mds, Tile Nds, const float* M, const float* N, int row, int col, int phase, int width) {
  const int m_col = phase * TILE_WIDTH + threadIdx.x;
  const int n_row = phase * TILE_WIDTH + threadIdx.y;
  Mds[threadIdx.y][threadIdx.x] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
  Nds[threadIdx.y][threadIdx.x] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
}

// While the block computes with one pair of tiles it already fetches the next one.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[2][TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  fetch(Mds[0], Nds[0], M, N, row, col, 0, width);

  for (int phase = 0; phase < phases; ++phase) {
    const int now = phase & 1;
    if (phase + 1 < phases) {
      fetch(Mds[now ^ 1], Nds[now ^ 1], M, N, row, col, phase + 1, width);
    }
    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[now][ty][k] * Nds[now][k][tx];
    }
    // the next tiles are complete, and nobody reads the old ones any more
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
