// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 32 x 8, four rows a thread. The loads and the stores give thread ty the rows ty, ty + 8, ty + 16,
//   ty + 24, but the products are those of rows 4 * ty to 4 * ty + 3: rows of P are right but in wrong places within
//   their tile (row 1 shows what belongs to row 4). Wrong from width 2 on; only rows 0 and 31 of a tile are in place.
// want: Thread ty 1: which rows of Mds do its four sums read, and which rows of P does it store them to? What does P
//   look like for width 8 when M is the identity?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define BLOCK_ROWS 8
#define ROWS_EACH (TILE_WIDTH / BLOCK_ROWS)

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE_WIDTH;
  const int left = blockIdx.x * TILE_WIDTH * COARSE_FACTOR;

  float sum[COARSE_FACTOR][ROWS_EACH] = {};

  for (int start = 0; start < width; start += TILE_WIDTH) {
    // M's tile serves all four tiles of P
    for (int y = ty; y < TILE_WIDTH; y += BLOCK_ROWS) {
      const int row = top + y;
      const int col = start + tx;
      Mds[y][tx] = row < width && col < width ? M[row * width + col] : 0.0f;
    }

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      for (int y = ty; y < TILE_WIDTH; y += BLOCK_ROWS) {
        const int row = start + y;
        const int col = left + c * TILE_WIDTH + tx;
        Nds[y][tx] = row < width && col < width ? N[row * width + col] : 0.0f;
      }
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        const float b = Nds[k][tx];
#pragma unroll
        for (int r = 0; r < ROWS_EACH; ++r) {
          sum[c][r] += Mds[ty * ROWS_EACH + r][k] * b;
        }
      }
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = left + c * TILE_WIDTH + tx;
#pragma unroll
    for (int r = 0; r < ROWS_EACH; ++r) {
      const int row = top + ty + r * BLOCK_ROWS;
      if (row < width && col < width) P[row * width + col] = sum[c][r];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, BLOCK_ROWS);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
