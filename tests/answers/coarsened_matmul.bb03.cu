// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread stores its four columns only if the last of them exists, and none otherwise: at width
//   100 all threads with tx >= 4 store nothing (4 + 96 = 100). And the load of M does not check the row: at width 33
//   the blocks of the second tile row read rows 33 to 63 of M, which do not exist.
// want: First: at width 100, which columns belong to the thread with tx = 10, and which of them does it store? Then: at
//   width 33, which rows of M does the lowest block load?
#include "coarsened_matmul.h"

#define TILE 32
#define FACTOR 4
#define ROWS 8  // rows of threads: each thread has four rows of each of the four tiles

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m_tile[TILE][TILE];
  __shared__ float n_tile[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE;
  const int first = blockIdx.x * TILE * FACTOR + tx;

  float sums[FACTOR][TILE / ROWS];
  for (auto& column : sums) {
    for (float& s : column) s = 0.0f;
  }

  for (int k0 = 0; k0 < width; k0 += TILE) {
    for (int r = ty; r < TILE; r += ROWS) {
      m_tile[r][tx] = k0 + tx < width ? M[(top + r) * width + k0 + tx] : 0.0f;
    }
#pragma unroll
    for (int c = 0; c < FACTOR; ++c) {
      const int col = first + c * TILE;
      for (int r = ty; r < TILE; r += ROWS) {
        n_tile[r][tx] = k0 + r < width && col < width ? N[(k0 + r) * width + col] : 0.0f;
      }
      __syncthreads();
      for (int k = 0; k < TILE; ++k) {
        const float n = n_tile[k][tx];
#pragma unroll
        for (int j = 0; j < TILE / ROWS; ++j) {
          sums[c][j] += m_tile[ty + j * ROWS][k] * n;
        }
      }
      __syncthreads();
    }
  }

  // Up to the last of the thread's columns.
  if (first + (FACTOR - 1) * TILE < width) {
#pragma unroll
    for (int j = 0; j < TILE / ROWS; ++j) {
      const int row = top + ty + j * ROWS;
      if (row < width) {
        float* p = P + row * width + first;
#pragma unroll
        for (int c = 0; c < FACTOR; ++c) {
          p[c * TILE] = sums[c][j];
        }
      }
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE * FACTOR;
  const dim3 grid((width + span - 1) / span, (width + TILE - 1) / TILE);
  coarsened_matmul_kernel<<<grid, dim3(TILE, ROWS)>>>(M, N, P, width);
}
