// SPDX-License-Identifier: Apache-2.0
// mistake: 1. a thread computes four rows, 8 apart, but the store checks only the first of them: the others are written
//   behind P. 2. No barrier at the end of a phase: the next tiles overwrite those that a slow warp still reads.
// want: Your thread stores four rows, and asks once: for width 5, does row 0 + 8 exist? Each row needs its own check.
//   (Then: what keeps a fast warp from loading the next tiles while another one still adds?)
#include "tiled_matmul.h"

#define TILE 32
#define ROWS 8                // block is 32 x 8
#define PER (TILE / ROWS)     // rows for each thread

__global__ void matmul_4rows(const float* M, const float* N, float* P, int width) {
  __shared__ float tileM[TILE][TILE];
  __shared__ float tileN[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float acc[PER] = {0.0f, 0.0f, 0.0f, 0.0f};

  for (int base = 0; base < width; base += TILE) {
    for (int q = 0; q < PER; ++q) {
      const int s = ty + q * ROWS;  // row in the tile
      const int mr = blockIdx.y * TILE + s;
      const int mc = base + tx;
      const int nr = base + s;
      tileM[s][tx] = (mr < width && mc < width) ? M[mr * width + mc] : 0.0f;
      tileN[s][tx] = (nr < width && col < width) ? N[nr * width + col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE; ++k) {
      const float b = tileN[k][tx];  // used 4 times
      for (int q = 0; q < PER; ++q) acc[q] += tileM[ty + q * ROWS][k] * b;
    }
  }

  if (row0 < width && col < width) {
    for (int q = 0; q < PER; ++q) {
      P[(row0 + q * ROWS) * width + col] = acc[q];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  const dim3 block(TILE, ROWS);
  const dim3 grid(tiles, tiles);
  matmul_4rows<<<grid, block>>>(M, N, P, width);
}
