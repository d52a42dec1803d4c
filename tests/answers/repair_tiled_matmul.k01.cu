// SPDX-License-Identifier: Apache-2.0
// mistake: the zeros are written once, before the first phase. In the last phase the places that nobody loads still
//   hold what phase 0 (or a later one) brought, in both tiles, and are added up once more.
// want: With a width of 17: what does Mds[ty][1] hold in the second phase, and who wrote it there when?
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  // Shared memory is not zero by itself! Clean both tiles first (fault 1)
  Mds[ty][tx] = 0.0f;
  Nds[ty][tx] = 0.0f;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // fault 2: column was not checked
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    }
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // fault 3: a block has 8 warps, not one
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
