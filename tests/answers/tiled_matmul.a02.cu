// SPDX-License-Identifier: Apache-2.0
// mistake: fills the places of the tiles where nothing exists with 1, "the neutral element of multiplication";
//   the products are added, so 1 * 1 is added for each missing place.
// want: A missing place gives a product that is ADDED to the sum. Which value must that product have to leave the
//   sum as it is? Compare a width of 17 with the expected value: you are 15 too high.
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
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

    // multiplying by 1 changes nothing
    if (row < width && m_col < width)
      Mds[ty][tx] = M[row * width + m_col];
    else
      Mds[ty][tx] = 1.0f;
    if (n_row < width && col < width)
      Nds[ty][tx] = N[n_row * width + col];
    else
      Nds[ty][tx] = 1.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / TILE_WIDTH + 1;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
