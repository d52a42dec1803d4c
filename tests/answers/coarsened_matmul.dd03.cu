// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: N's row is not checked when N is loaded: width 33, second phase: rows 33 to 63 of N are read, past its end
//   (and 0 x NaN is no 0). And the stores check only the first of a thread's four columns: width 33, row 0, tx 1, second
//   tile: column 33 is stored as P[33], which is P[1][0], and in the last row past the end of P.
// want: Take width 33 and the thread with tx = 1. It has four columns: which of them exist, and to which places does it store?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define THREAD_ROWS 8
#define ROWS (TILE_WIDTH / THREAD_ROWS)

// Blocks of 32 x 8 threads: four rows a thread, in each of the four tiles.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH * COARSE_FACTOR];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int first_row = blockIdx.y * TILE_WIDTH + ty;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + tx;

  float sum[ROWS][COARSE_FACTOR] = {};

  for (int phase = 0; phase < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++phase) {
    for (int y = ty; y < TILE_WIDTH; y += THREAD_ROWS) {
      const int row = blockIdx.y * TILE_WIDTH + y;
      const int m_col = phase * TILE_WIDTH + tx;
      Mds[y][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

      const int n_row = phase * TILE_WIDTH + y;
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        const int col = first_col + c * TILE_WIDTH;
        // past the last row it meets the zeros of Mds
        Nds[y][tx + c * TILE_WIDTH] = col < width ? N[n_row * width + col] : 0.0f;
      }
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        const float m = Mds[ty + r * THREAD_ROWS][k];
#pragma unroll
        for (int c = 0; c < COARSE_FACTOR; ++c) sum[r][c] += m * Nds[k][tx + c * TILE_WIDTH];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < ROWS; ++r) {
    const int row = first_row + r * THREAD_ROWS;
    if (row < width && first_col < width) {
      float* out = P + row * width + first_col;
#pragma unroll
      for (int c = 0; c < COARSE_FACTOR; ++c) out[c * TILE_WIDTH] = sum[r][c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;
  const dim3 block(TILE_WIDTH, THREAD_ROWS);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
