// SPDX-License-Identifier: Apache-2.0
// mistake: two buffers take turns for N's tile, so one barrier a step is enough for N (four steps, an even number, and the
//   turn goes on over the phases); but M's tile has only one, and no barrier stands between the last step's products and
//   the next phase's load of it: a fast warp overwrites rows of Mds that a slow one still multiplies with. A race from
//   width 33 on.
// want: Your two buffers take care of N. When the first warp reaches the next phase, who may still be reading Mds?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define BLOCK_ROWS 8                          // a thread has 4 rows of each tile
#define REPEAT (TILE_WIDTH / BLOCK_ROWS)

__device__ inline float at(const float* matrix, int row, int column, int width) {
  return row < width && column < width ? matrix[row * width + column] : 0.0f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];  // one is read while the other is filled

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE_WIDTH + ty;
  const int col0 = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;

  float acc[COARSE_FACTOR][REPEAT];
  for (int c = 0; c < COARSE_FACTOR; ++c)
    for (int r = 0; r < REPEAT; ++r) acc[c][r] = 0.0f;

  for (int p = 0; p < width; p += TILE_WIDTH) {
#pragma unroll
    for (int r = 0; r < REPEAT; ++r)
      Mds[ty + r * BLOCK_ROWS][tx] = at(M, row0 + r * BLOCK_ROWS, p + tx, width);

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      float(&tile)[TILE_WIDTH][TILE_WIDTH] = Nds[c & 1];
#pragma unroll
      for (int r = 0; r < REPEAT; ++r)
        tile[ty + r * BLOCK_ROWS][tx] = at(N, p + ty + r * BLOCK_ROWS, col0 + c * TILE_WIDTH, width);

      // one barrier only: the next step fills the other buffer
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        const float n = tile[k][tx];
#pragma unroll
        for (int r = 0; r < REPEAT; ++r) acc[c][r] += Mds[ty + r * BLOCK_ROWS][k] * n;
      }
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
#pragma unroll
    for (int r = 0; r < REPEAT; ++r) {
      const int row = row0 + r * BLOCK_ROWS;
      const int col = col0 + c * TILE_WIDTH;
      if (row < width && col < width) P[row * width + col] = acc[c][r];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, BLOCK_ROWS);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
