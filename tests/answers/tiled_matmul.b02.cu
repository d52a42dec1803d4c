// SPDX-License-Identifier: Apache-2.0
// mistake: the blocks take several tiles of P in turn (grid of at most 64 blocks), but the sum is set to 0 only
//   once, before the loop over tiles: the second tile of a block begins with the sum of the first.
// want: how many tiles of P does one block compute when width is 144 and the grid has 64 blocks? Which value
//   must the accumulator have at the start of each output element?
#include "tiled_matmul.h"

template <int TILE>
__device__ float load_or_zero(const float* A, int row, int col, int width) {
  return row < width && col < width ? A[row * width + col] : 0.0f;
}

// P = M x N. The grid need not be as large as P: each block takes every gridDim.x-th tile.
template <int TILE>
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tiles = (width + TILE - 1) / TILE;
  float sum = 0.0f;

  for (int tile = blockIdx.x; tile < tiles * tiles; tile += gridDim.x) {
    const int row = tile / tiles * TILE + ty;
    const int col = tile % tiles * TILE + tx;

    for (int phase = 0; phase < tiles; ++phase) {
      Mds[ty][tx] = load_or_zero<TILE>(M, row, phase * TILE + tx, width);
      Nds[ty][tx] = load_or_zero<TILE>(N, phase * TILE + ty, col, width);
      __syncthreads();

#pragma unroll
      for (int k = 0; k < TILE; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }

    if (row < width && col < width) {
      P[row * width + col] = sum;
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  constexpr int kTile = 16;
  const int tiles = (width + kTile - 1) / kTile;
  const int blocks = tiles * tiles < 64 ? tiles * tiles : 64;
  tiled_matmul_kernel<kTile><<<blocks, dim3(kTile, kTile)>>>(M, N, P, width);
}
