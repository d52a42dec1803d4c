// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) All four stores are guarded by the first column: where width is no multiple of 128, the others go
//   beyond the end of their row, into the next rows, and at the last ones beyond P (width 33: zeros over the next rows).
//   (2) The grid is width / span + 1 wide: where width is a multiple of 128, a column of blocks too many, which loads M
//   once more and stores nothing.
// want: Width 33: to which elements of P does thread (0, 0) store its four sums? Ask for each column whether it exists.
//   And how many blocks stand side by side at width 128, how many times is M loaded then?
#include "coarsened_matmul.h"

#define T 32  // side of a tile
#define F 4   // tiles of a block

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float m_tile[T][T];
  __shared__ float n_tile[T][T];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = T * blockIdx.y + y;
  const int col = T * F * blockIdx.x + x;

  float p[F] = {};

  for (int start = 0; start < width; start += T) {
    m_tile[y][x] = (row < width && start + x < width) ? M[row * width + start + x] : 0.0f;

#pragma unroll
    for (int f = 0; f < F; ++f) {
      const int c = col + f * T;
      n_tile[y][x] = (start + y < width && c < width) ? N[(start + y) * width + c] : 0.0f;
      __syncthreads();

#pragma unroll
      for (int k = 0; k < T; ++k) {
        p[f] += m_tile[y][k] * n_tile[k][x];
      }
      __syncthreads();
    }
  }

  if (row < width && col < width) {
    float* out = P + row * width + col;
#pragma unroll
    for (int f = 0; f < F; ++f) {
      out[f * T] = p[f];
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 threads(T, T);
  const dim3 blocks(width / (T * F) + 1, (width + T - 1) / T);
  coarsened_matmul_kernel<<<blocks, threads>>>(M, N, P, width);
}
