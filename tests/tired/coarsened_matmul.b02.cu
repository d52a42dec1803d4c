// SPDX-License-Identifier: Apache-2.0
// mistake: the second barrier stands behind the loop over the four tiles: within it a fast warp loads the next
//   tile of N while others still multiply the one before.
// want: which tile is overwritten at the beginning of step c + 1, and who may still read it? Count the barriers
//   between the last read of Nds in one step and the first store in the next.
#include "coarsened_matmul.h"

#define TILE 32
#define FACTOR 4  // tiles of P, side by side
#define ROWS 8    // of threads
#define EACH (TILE / ROWS)

// Brings a tile of A to shared memory; zeros where A has nothing. 32 x 8 threads, four rows each.
__device__ void fetch(float (&tile)[TILE][TILE], const float* A, int row, int col, int width) {
#pragma unroll
  for (int r = 0; r < TILE; r += ROWS) {
    const bool exists = row + r + threadIdx.y < width && col + threadIdx.x < width;
    tile[r + threadIdx.y][threadIdx.x] =
        exists ? A[(row + r + threadIdx.y) * width + col + threadIdx.x] : 0.0f;
  }
}

// P = M x N, all width x width, row by row. A thread computes four rows of each of the four tiles.
__global__ void __launch_bounds__(TILE * ROWS)
    coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE * FACTOR;

  float sum[FACTOR][EACH] = {};

  for (int start = 0; start < width; start += TILE) {
    fetch(Mds, M, row0, start, width);
#pragma unroll
    for (int c = 0; c < FACTOR; ++c) {
      fetch(Nds, N, start, col0 + c * TILE, width);
      __syncthreads();
      for (int k = 0; k < TILE; ++k) {
        const float n = Nds[k][tx];
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
          sum[c][e] += Mds[ty + e * ROWS][k] * n;
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int c = 0; c < FACTOR; ++c) {
#pragma unroll
    for (int e = 0; e < EACH; ++e) {
      const int row = row0 + ty + e * ROWS;
      const int col = col0 + c * TILE + tx;
      if (row < width && col < width) {
        P[row * width + col] = sum[c][e];
      }
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE * FACTOR;
  const dim3 grid((width + span - 1) / span, (width + TILE - 1) / TILE);
  coarsened_matmul_kernel<<<grid, dim3(TILE, ROWS)>>>(M, N, P, width);
}
