// SPDX-License-Identifier: Apache-2.0
// mistake: the inner loop takes two products at a time and has nothing for the last one of an odd tile: each phase
//   lacks the product with k = tile - 1. tile = 1 gives zeros everywhere; tile = 3, width = 3 lacks M[r][2] *
//   N[2][c]. Right for every even tile.
// want: For tile = 3: which values does k have in your inner loop, and which products does one round add?
#include "dynamic_tiled_matmul.h"

extern __shared__ float both[];

__global__ void dyn_two_sums(const float* M, const float* N, float* P, const int width, const int tile) {
  const int area = tile * tile;
  const int me = threadIdx.y * tile + threadIdx.x;
  const int row = blockIdx.y * tile + threadIdx.y;
  const int col = blockIdx.x * tile + threadIdx.x;

  float s0 = 0.f, s1 = 0.f;
  int m_col = threadIdx.x;
  int n_row = threadIdx.y;
  for (int left = width; left > 0; left -= tile) {
    if (left != width) __syncthreads();  // the old tiles are done with
    both[me] = row < width && m_col < width ? M[row * width + m_col] : 0.f;
    both[area + me] = n_row < width && col < width ? N[n_row * width + col] : 0.f;
    m_col += tile;
    n_row += tile;
    __syncthreads();

    const float* m = both + threadIdx.y * tile;
    const float* n = both + area + threadIdx.x;
    for (int k = 0; k + 1 < tile; k += 2) {
      s0 += m[k] * n[k * tile];
      s1 += m[k + 1] * n[(k + 1) * tile];
    }
  }

  if (row < width && col < width) P[row * width + col] = s0 + s1;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  dim3 block(tile, tile, 1);
  dim3 grid((width + block.x - 1) / block.x, (width + block.y - 1) / block.y, 1);
  size_t bytes = 8u * tile * tile;
  dyn_two_sums<<<grid, block, bytes>>>(M, N, P, width, tile);
}
