// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile is loaded with neighbouring threads going down a column (r = t % 16, c = t / 16): a warp reads 16
//   rows x 2 columns, 16 sectors of 32 bytes for 128 bytes. N's loads are 4 sectors for 128 bytes, so that together
//   the sectors have 2.5 times the bytes asked for where all sides are multiples of 32 (1.45 are allowed): at j = k =
//   l = 32. All values are right, and so is the tile that is 32 deep with 16 x 16 threads.
// want: The values are right; the memory is not used well. For M's tile, write down the addresses that the threads t =
//   0, 1 and 2 read. Do the same for N's tile: what is different?
#include "rect_tiled_matmul.h"

constexpr int kSide = 16;   // a block's part of P
constexpr int kDepth = 32;  // how far one phase goes along k
constexpr int kThreads = kSide * kSide;

__global__ void deep_tiles(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m_tile[kDepth][kSide];  // [i][row]
  __shared__ float n_tile[kDepth][kSide];  // [i][column]

  const int tid = threadIdx.x;
  const int row0 = blockIdx.y * kSide;
  const int col0 = blockIdx.x * kSide;
  const int my_row = tid / kSide;
  const int my_col = tid % kSide;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += kDepth) {
    // both tiles have 512 elements, two for each thread; stored so that neighbours write neighbouring words
    for (int t = tid; t < kDepth * kSide; t += kThreads) {
      const int r = t % kSide;
      const int c = t / kSide;
      float v = 0.0f;
      if (row0 + r < j && k0 + c < k) v = M[(row0 + r) * k + (k0 + c)];
      m_tile[c][r] = v;
    }
    for (int t = tid; t < kDepth * kSide; t += kThreads) {
      const int r = t / kSide;
      const int c = t % kSide;
      float v = 0.0f;
      if (k0 + r < k && col0 + c < l) v = N[(k0 + r) * l + (col0 + c)];
      n_tile[r][c] = v;
    }
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) sum += m_tile[i][my_row] * n_tile[i][my_col];
    __syncthreads();
  }

  if (row0 + my_row < j && col0 + my_col < l) P[(row0 + my_row) * l + col0 + my_col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + kSide - 1) / kSide, (j + kSide - 1) / kSide);
  deep_tiles<<<grid, kThreads>>>(M, N, P, j, k, l);
}
