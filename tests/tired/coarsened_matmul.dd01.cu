// SPDX-License-Identifier: Apache-2.0
// mistake: The four tiles of a block lie one below the other, not side by side: N's tile is shared and M's is loaded four times. All
//   blocks together load M ceil(width / 32) times and N ceil(width / 128) times, the reverse of what the contract says:
//   at width 128 M is loaded 4 times instead of once, N once instead of 4 times. The values are right.
// want: How do your block's four tiles of P lie to each other? Which of the two matrices is loaded how often at width 128, and
//   which does the header want to be loaded once?
#include "coarsened_matmul.h"

#define TILE 32
#define COARSE 4

__global__ void matmul_coarse(const float* M, const float* N, float* P, int width) {
  __shared__ float m[TILE][TILE];
  __shared__ float n[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TILE + tx;
  const int first_row = blockIdx.y * TILE * COARSE + ty;

  float sums[COARSE];
  for (int c = 0; c < COARSE; ++c) sums[c] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += TILE) {
    // shared by all tiles of the block, so load it once
    n[ty][tx] = (k0 + ty < width && col < width) ? N[(k0 + ty) * width + col] : 0.0f;

    for (int c = 0; c < COARSE; ++c) {
      const int row = first_row + c * TILE;
      m[ty][tx] = (row < width && k0 + tx < width) ? M[row * width + k0 + tx] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; ++k) sums[c] += m[ty][k] * n[k][tx];
      __syncthreads();
    }
  }

  for (int c = 0; c < COARSE; ++c) {
    const int row = first_row + c * TILE;
    if (row < width && col < width) P[row * width + col] = sums[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  const dim3 grid(tiles, (tiles + COARSE - 1) / COARSE);
  matmul_coarse<<<grid, dim3(TILE, TILE)>>>(M, N, P, width);
}
