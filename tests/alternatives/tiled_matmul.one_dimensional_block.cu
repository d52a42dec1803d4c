// SPDX-License-Identifier: Apache-2.0
// differs: block and grid are one-dimensional, row and column come by division; tiles are flat arrays.

#include "tiled_matmul.h"

static constexpr int kTile = 16;
static constexpr int kPlaces = kTile * kTile;

__global__ void flat_kernel(const float* M, const float* N, float* P, int width, int tiles) {
  __shared__ float both[2 * kPlaces];
  float* const m_tile = both;
  float* const n_tile = both + kPlaces;

  const int place = threadIdx.x;
  const int ty = place / kTile, tx = place % kTile;
  const int row = static_cast<int>(blockIdx.x) / tiles * kTile + ty;
  const int col = static_cast<int>(blockIdx.x) % tiles * kTile + tx;

  float sum = 0;
  for (int phase = 0; phase != tiles; ++phase) {
    const int m_col = phase * kTile + tx;
    const int n_row = phase * kTile + ty;
    m_tile[place] = (row < width && m_col < width) ? M[row * width + m_col] : 0;
    n_tile[place] = (n_row < width && col < width) ? N[n_row * width + col] : 0;
    __syncthreads();
    const float* m = m_tile + ty * kTile;
    const float* n = n_tile + tx;
    for (const float* const end = m + kTile; m != end; ++m, n += kTile) sum += *m * *n;
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  flat_kernel<<<tiles * tiles, kPlaces>>>(M, N, P, width, tiles);
}
