// SPDX-License-Identifier: Apache-2.0
// mistake: All loads are clamped to the last row and column and nothing is zero any more: in the last, partial
//   phase each place past the border holds M[row][width - 1] and N[width - 1][col] again, and their product is
//   added once for each missing place. Width 17: phase 1 adds M[row][16] * N[16][col] sixteen times and not
//   once. Multiples of 16 are right. (The barrier is repaired, nothing is read out of range.)
// want: Width 17, phase 1: which value lies in Mds[0][5] and in Nds[5][0] now, and what does their product do
//   to the sum?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const int last = width - 1;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    // Nobody leaves the matrices: an index past the border is pulled back onto it. So every place of both
    // tiles is written in each phase, and nothing old stays in them.
    const int m_col = min(phase * TILE_WIDTH + tx, last);
    const int n_row = min(phase * TILE_WIDTH + ty, last);
    Mds[ty][tx] = M[min(row, last) * width + m_col];
    Nds[ty][tx] = N[n_row * width + min(col, last)];
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // 256 threads are eight warps, and all have to be done before the next tiles come.
    __syncthreads();
  }

  // The grid covers P with whole tiles, so that some threads have no element to store.
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
