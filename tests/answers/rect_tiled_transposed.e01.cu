// SPDX-License-Identifier: Apache-2.0
// mistake: a thread loads four rows of N's tile, n_row + r, but the check is made with n_row alone. Where k is
//   not a multiple of 32, rows past the end of N are read. M's zeros hide it in P as long as no NaN comes.
// want: For Mt you check the row that you read. Do you do the same for N? With k = 8 and r = 8: which row of N
//   is read, and which row was checked?

#include "rect_tiled_transposed.h"

constexpr int kTile = 32;
constexpr int kRows = 8;  // a block is 32 x 8 threads; each has four elements of every tile

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[kTile][kTile];  // [i][row], as Mt lies in memory
  __shared__ float Nds[kTile][kTile];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int col = blockIdx.x * kTile + tx;
  const int m_row = blockIdx.y * kTile + tx;

  float sum[kTile / kRows] = {};
  for (int p = 0; p < k; p += kTile) {
    const int n_row = p + ty;
    for (int r = 0; r < kTile; r += kRows) {
      const int m_i = p + ty + r;
      Mds[ty + r][tx] = m_i < k && m_row < j ? Mt[m_i * j + m_row] : 0.0f;
      Nds[ty + r][tx] = n_row < k && col < l ? N[(n_row + r) * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < kTile; ++i) {
      const float n = Nds[i][tx];
      for (int q = 0; q < kTile / kRows; ++q) {
        sum[q] += Mds[i][ty + q * kRows] * n;
      }
    }
    __syncthreads();
  }

  for (int q = 0; q < kTile / kRows; ++q) {
    const int row = blockIdx.y * kTile + ty + q * kRows;
    if (row < j && col < l) P[row * l + col] = sum[q];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(kTile, kRows);
  const dim3 grid((l + kTile - 1) / kTile, (j + kTile - 1) / kTile);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
