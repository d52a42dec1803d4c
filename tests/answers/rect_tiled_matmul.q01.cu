// SPDX-License-Identifier: Apache-2.0
// mistake: the second __syncthreads() of each phase stands where only threads with an element of P come: in a block at
//   the edge some threads of the block skip it, meet the others at different barriers and write the next tiles while the
//   others still read. j = 17, k = 32, l = 16: in the lower block only the threads with ty = 0 reach it. Where 16 divides j
//   and l it is right.
// want: j = 17, k = 32, l = 16: which threads of the lower block come to the second __syncthreads(), and where are the
//   others by then?
#include "rect_tiled_matmul.h"

#define T 16

__global__ void tiles_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m_tile[T][T];
  __shared__ float n_tile[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  const auto fetch = [](const float* a, int r, int c, int rows, int cols) {
    return r < rows && c < cols ? a[r * cols + c] : 0.0f;
  };

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += T) {
    m_tile[ty][tx] = fetch(M, row, i0 + tx, j, k);
    n_tile[ty][tx] = fetch(N, i0 + ty, col, k, l);
    __syncthreads();

    // Only who has an element of P reads the tiles, and so waits before they change.
    if (row < j && col < l) {
      for (int i = 0; i < T; ++i) sum += m_tile[ty][i] * n_tile[i][tx];
      __syncthreads();
    }
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  tiles_kernel<<<dim3((l + T - 1) / T, (j + T - 1) / T), dim3(T, T)>>>(M, N, P, j, k, l);
}
