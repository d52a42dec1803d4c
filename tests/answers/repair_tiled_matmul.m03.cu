// SPDX-License-Identifier: Apache-2.0
// mistake: 1. N's new check asks for row instead of col: at the lower edge needed elements of N become zeros, and at the
//   right edge N is still read past the end of its rows. 2. The second barrier stands behind the loop over the phases
//   instead of at its end, so that the tiles are overwritten while others read them.
// want: The index is n_row * width + col: which two things have to be checked? `row` does not occur in it. (Then: your
//   second barrier is reached once, after the last phase. Between which two steps of each phase is it needed?)
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

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists, else zero (in both tiles, uninitialised times zero can be NaN)
    float m = 0.0f;
    float n = 0.0f;
    if (row < width && m_col < width) {
      m = M[row * width + m_col];
    }
    if (n_row < width && row < width) {
      n = N[n_row * width + col];
    }
    Mds[ty][tx] = m;
    Nds[ty][tx] = n;
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
  }
  // __syncwarp is not enough, 8 warps in a block
  __syncthreads();

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
