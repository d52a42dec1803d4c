// SPDX-License-Identifier: Apache-2.0
// mistake: each thread stores four elements of P, eight rows apart, but only the first one's row is checked. Where
//   width is not a multiple of 32 the others may lie below P's last row: stores behind the end of P.
// want: Width 33: which four rows of P does thread (0, 0) of the lower left block store, and for which of them did
//   you ask whether it exists?

#include "tiled_matmul.h"

constexpr int kTile = 32;
constexpr int kStep = 8;              // rows of threads in a block
constexpr int kRows = kTile / kStep;  // elements of P for each thread

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;  // the first of kRows
  const int col = blockIdx.x * kTile + tx;

  float sum[kRows] = {};

  for (int first = 0; first < width; first += kTile) {
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int y = ty + r * kStep;
      const int m_row = row + r * kStep;
      const int m_col = first + tx;
      const int n_row = first + y;
      Mds[y][tx] = m_row < width && m_col < width ? M[m_row * width + m_col] : 0.0f;
      Nds[y][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < kTile; ++k) {
      const float n = Nds[k][tx];
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        sum[r] += Mds[ty + r * kStep][k] * n;
      }
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    float* p = P + row * width + col;
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      *p = sum[r];
      p += kStep * width;
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(kTile, kStep)>>>(M, N, P, width);
}
