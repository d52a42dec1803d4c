// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but only M has a tile; N is loaded from global memory for every product, 4 bytes each,
//   where 2 for each product are allowed in all. j = k = l = 32: 131072 bytes of N alone, and 65536 are allowed.
// want: one element of N is needed by 16 threads of a block. How often does the block load it from global memory?
#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int first = phase * TILE_WIDTH;
    const int count = min(TILE_WIDTH, k - first);

    Mds[ty][tx] = row < j && first + tx < k ? M[(size_t)row * k + first + tx] : 0.0f;
    __syncthreads();

    // N is read along its rows anyway, so neighbours already fetch neighbours: no tile needed for it
    if (col < l) {
      for (int i = 0; i < count; ++i) {
        sum += Mds[ty][i] * N[(size_t)(first + i) * l + col];
      }
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[(size_t)row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
