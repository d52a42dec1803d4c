// SPDX-License-Identifier: Apache-2.0
// mistake: the load of Mt reads M's row blockIdx.y * T + tx, but checks row, which is blockIdx.y * T + ty. Where
//   16 does not divide j: j = 17, k = l = 16, block row 1: threads with ty >= 1 write zeros although M's row 16
//   (tx = 0) exists, so that P[16][c] has only the product with i = 0; threads with ty = 0 and tx >= 1 read the
//   next row of Mt instead (and behind Mt where that row is the last).
// want: For j = 17, second row of blocks: which element of M does thread (0, 1) load, and what does your
//   condition say about it?
#include "rect_tiled_transposed.h"

template <int T>
__global__ void transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float m_tile[T][T];  // [i][row]
  __shared__ float n_tile[T][T];  // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += T) {
    const int i = i0 + ty;  // row of Mt and of N
    m_tile[ty][tx] = i < k && row < j ? Mt[i * j + blockIdx.y * T + tx] : 0.0f;
    n_tile[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int d = 0; d < T; ++d) sum += m_tile[d][ty] * n_tile[d][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  constexpr int T = 16;
  transposed_kernel<T><<<dim3((l + T - 1) / T, (j + T - 1) / T), dim3(T, T)>>>(Mt, N, P, j, k, l);
}
