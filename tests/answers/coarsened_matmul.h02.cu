// SPDX-License-Identifier: Apache-2.0
// mistake: the barrier after the products stands behind the coarsening loop, not in it; a fast warp loads the next tile
//   of N over the one that slower warps still multiply with (a race, wrong sums now and then).
// want: Suppose one warp is done with c == 0 while another has just begun its products. What does the first do next,
//   and what in your loop makes it wait?

#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kCoarse = 4;

__device__ float element(const float* A, int r, int c, int width) {
  return r < width && c < width ? A[r * width + c] : 0.0f;
}

template <int Tile, int Coarse>
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m_tile[Tile][Tile];
  __shared__ float n_tile[Tile][Tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty;
  const int col0 = blockIdx.x * Tile * Coarse + tx;
  const int phases = (width + Tile - 1) / Tile;

  float sums[Coarse];
  for (int c = 0; c < Coarse; ++c) sums[c] = 0.0f;

  for (int phase = 0; phase < phases; ++phase) {
    m_tile[ty][tx] = element(M, row, phase * Tile + tx, width);  // once for all four

#pragma unroll
    for (int c = 0; c < Coarse; ++c) {
      n_tile[ty][tx] = element(N, phase * Tile + ty, col0 + c * Tile, width);
      __syncthreads();

      float s = 0.0f;
      for (int k = 0; k < Tile; ++k) {
        s += m_tile[ty][k] * n_tile[k][tx];
      }
      sums[c] += s;
    }
    __syncthreads();  // before the next phase overwrites the tiles
  }

  if (row >= width) return;
  for (int c = 0; c < Coarse; ++c) {
    const int col = col0 + c * Tile;
    if (col < width) P[row * width + col] = sums[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  const dim3 grid((tiles + kCoarse - 1) / kCoarse, tiles);
  coarsened_matmul_kernel<kTile, kCoarse><<<grid, dim3(kTile, kTile)>>>(M, N, P, width);
}
