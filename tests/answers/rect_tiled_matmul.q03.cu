// SPDX-License-Identifier: Apache-2.0
// mistake: tiles are 4 wide: each of their rows is 16 bytes, half a sector of 32, so that the sectors loaded have twice
//   the bytes asked for, above the 1.45 allowed. j = k = l = 32: a block's 16 threads ask for 64 bytes of M in a phase and
//   get four sectors, 128 bytes; the same for N. The values are right, and with 2 x j x k x l the bytes loaded just hold.
// want: How many bytes long is a row of your tile, how many bytes does the memory bring at once, and what becomes of the
//   rest?
#include "rect_tiled_matmul.h"

// Small tiles: at the edges hardly any thread is without work.
template <int kTile>
__global__ void rect_small(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[kTile][kTile];

  const int row = blockIdx.y * kTile + threadIdx.y;
  const int col = blockIdx.x * kTile + threadIdx.x;

  float sum = 0.0f;
  for (int start = 0; start < k; start += kTile) {
    const int m_col = start + threadIdx.x;
    const int n_row = start + threadIdx.y;

    float m = 0.0f;
    if (row < j && m_col < k) m = M[row * k + m_col];
    float n = 0.0f;
    if (n_row < k && col < l) n = N[n_row * l + col];
    Mds[threadIdx.y][threadIdx.x] = m;
    Nds[threadIdx.y][threadIdx.x] = n;
    __syncthreads();

#pragma unroll
    for (int i = 0; i < kTile; ++i) sum += Mds[threadIdx.y][i] * Nds[i][threadIdx.x];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  constexpr int kTile = 4;
  if (j == 0 || l == 0) return;
  const dim3 block(kTile, kTile);
  const dim3 grid((l + kTile - 1) / kTile, (j + kTile - 1) / kTile);
  rect_small<kTile><<<grid, block>>>(M, N, P, j, k, l);
}
