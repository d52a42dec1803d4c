// SPDX-License-Identifier: Apache-2.0
// mistake: a block computes four tiles that lie one below the other, not side by side. All values are right, but
//   the tile of N is the shared one: N is loaded ceil(width / 128) times and M ceil(width / 32) times, the
//   contract wants it the other way round. At width 128 M is loaded 4 times instead of once.
// want: Which of the two matrices can stay in shared memory while the block goes from one of its tiles to the next,
//   and which should it be? Draw the four tiles of P of one block.
#include "coarsened_matmul.h"

template <int Tile, int Factor>
__global__ void matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m[Tile][Tile];
  __shared__ float n[Tile][Tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * Tile + tx;
  const int first_row = blockIdx.y * (Tile * Factor) + ty;

  const auto load = [width](const float* matrix, int r, int c) {
    return r < width && c < width ? matrix[r * width + c] : 0.0f;
  };

  float sums[Factor];
  for (int f = 0; f < Factor; ++f) sums[f] = 0.0f;

  for (int k0 = 0; k0 < width; k0 += Tile) {
    n[ty][tx] = load(N, k0 + ty, col);  // once, all tiles of the block use it

    for (int f = 0; f < Factor; ++f) {
      m[ty][tx] = load(M, first_row + f * Tile, k0 + tx);
      __syncthreads();
      for (int k = 0; k < Tile; ++k) sums[f] += m[ty][k] * n[k][tx];
      __syncthreads();
    }
  }

  for (int f = 0; f < Factor; ++f) {
    const int row = first_row + f * Tile;
    if (row < width && col < width) P[row * width + col] = sums[f];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  constexpr int tile = 32;
  constexpr int factor = 4;
  const dim3 grid((width + tile - 1) / tile, (width + tile * factor - 1) / (tile * factor));
  matmul_kernel<tile, factor><<<grid, dim3(tile, tile)>>>(M, N, P, width);
}
