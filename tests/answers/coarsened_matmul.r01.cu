// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the store asks whether row * width + col lies within P, not whether col lies within the row, so
//   columns beyond the right edge are stored into the next row. width = 33: row 0, column 33 goes to P[33], which is
//   row 1, column 0, and races with its own thread. And nothing keeps a warp that is done with the fourth tile from
//   loading the next phase's tile of M while others still read this one's: warp 0 stores row 8 of Mds, which warp 2
//   reads (its rows are 8 to 11). Two phases suffice, from width 33 on. Nds has two buffers, which is enough for it.
// want: width is 33. Which element of P does the thread with column 33 of row 0 store to?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define BLOCK_ROWS 8
#define PER_THREAD (TILE_WIDTH / BLOCK_ROWS)

// A block has 32 x 8 threads; a thread computes 4 rows below each other in each of the 4 tiles.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[2][TILE_WIDTH][TILE_WIDTH];  // in turns: one barrier a tile is enough

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE_WIDTH;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum[COARSE_FACTOR][PER_THREAD] = {};

  for (int phase = 0; phase < phases; ++phase) {
    const int k0 = phase * TILE_WIDTH;

    for (int r = ty; r < TILE_WIDTH; r += BLOCK_ROWS) {
      Mds[r][tx] = top + r < width && k0 + tx < width ? M[(top + r) * width + k0 + tx] : 0.0f;
    }

#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      float(*tile)[TILE_WIDTH] = Nds[c & 1];
      const int col = first_col + c * TILE_WIDTH;
      for (int r = ty; r < TILE_WIDTH; r += BLOCK_ROWS) {
        tile[r][tx] = k0 + r < width && col < width ? N[(k0 + r) * width + col] : 0.0f;
      }
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        const float n = tile[k][tx];
#pragma unroll
        for (int i = 0; i < PER_THREAD; ++i) {
          sum[c][i] += Mds[ty * PER_THREAD + i][k] * n;
        }
      }
    }
  }

#pragma unroll
  for (int i = 0; i < PER_THREAD; ++i) {
    const int row = top + ty * PER_THREAD + i;
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int at = row * width + first_col + c * TILE_WIDTH;
      if (at < width * width) {
        P[at] = sum[c][i];
      }
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, BLOCK_ROWS);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
