// SPDX-License-Identifier: Apache-2.0
// mistake: in the one-dimensional grid the block's number is divided by the number of tiles from top to bottom
//   instead of from left to right: right only where P has as many tiles in both directions.
// want: block b of a row-by-row numbering: by which count do you divide to get its tile row? Draw P with 1 x 3
//   tiles and write the (tile row, tile column) that your code gives blocks 0, 1 and 2.
#include "rect_tiled_matmul.h"

#define TILE 16

// P = M x N: M is j x k, N is k x l, P is j x l. One-dimensional grid, one block a tile of P.
__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l,
                                         int tiles_down) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x % TILE;
  const int ty = threadIdx.x / TILE;
  const int row = blockIdx.x / tiles_down * TILE + ty;
  const int col = blockIdx.x % tiles_down * TILE + tx;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    Mds[ty][tx] = row < j && start + tx < k ? M[row * k + start + tx] : 0.0f;
    Nds[ty][tx] = start + ty < k && col < l ? N[(start + ty) * l + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int tiles_across = (l + TILE - 1) / TILE;
  const int tiles_down = (j + TILE - 1) / TILE;
  const int blocks = tiles_across * tiles_down;
  if (blocks == 0) return;
  rect_tiled_matmul_kernel<<<blocks, TILE * TILE>>>(M, N, P, j, k, l, tiles_down);
}
