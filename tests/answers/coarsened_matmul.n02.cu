// SPDX-License-Identifier: Apache-2.0
// mistake: multiplies four neighbouring columns of the wide tile (tx * 4 + c), but stores the sums to columns that lie 32
//   apart (tx + 32 * c): sums of the wrong columns are stored.
// want: Which column of P does the sum of thread 1 and c = 0 belong to when you multiply, and which when you store? Take
//   width 2 and follow thread tx 1.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4
#define WIDE (TILE_WIDTH * COARSE_FACTOR)

// All four tiles of N lie in shared memory at the same time, so two barriers a phase are enough.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
  __shared__ float tileN[TILE_WIDTH][WIDE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int left = blockIdx.x * WIDE;

  float sums[COARSE_FACTOR] = {0.0f, 0.0f, 0.0f, 0.0f};

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  for (int phase = 0; phase < phases; ++phase) {
    const int mc = phase * TILE_WIDTH + tx;
    const int nr = phase * TILE_WIDTH + ty;
    tileM[ty][tx] = row < width && mc < width ? M[row * width + mc] : 0.0f;
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int nc = left + c * TILE_WIDTH + tx;
      tileN[ty][c * TILE_WIDTH + tx] = nr < width && nc < width ? N[nr * width + nc] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = tileM[ty][k];
      for (int c = 0; c < COARSE_FACTOR; ++c) {
        sums[c] += m * tileN[k][tx * COARSE_FACTOR + c];
      }
    }
    __syncthreads();
  }

  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int pc = left + c * TILE_WIDTH + tx;
    if (row < width && pc < width) {
      P[row * width + pc] = sums[c];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + WIDE - 1) / WIDE, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
