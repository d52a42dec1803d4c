// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: in the last phase k % 16 products are added up, which is 0 where 16 divides k: with
//   k = 16 all of P is 0, with k = 32 the second half of each sum is missing. And a thread whose column P does
//   not have returns at once, though it has M's elements to load: with j = 1, k = 3, l = 1 M[0][1] and M[0][2]
//   are never loaded, and the sum is made with what the tile happened to hold.
// want: k = 16: how many phases are there, and how many products does the last one add up?
#include "rect_tiled_matmul.h"

template <int T>
__global__ void rect_tiled(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[T][T];
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;
  if (col >= l) return;  // nothing to compute here

  const int phases = (k + T - 1) / T;
  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * T + tx;
    const int n_row = phase * T + ty;
    // No zeros needed: only as many columns and rows are used below as there are.
    if (row < j && m_col < k) Mds[ty][tx] = M[row * k + m_col];
    if (n_row < k) Nds[ty][tx] = N[n_row * l + col];
    __syncthreads();

    const int depth = phase + 1 < phases ? T : k % T;
    if (row < j) {
      for (int i = 0; i < depth; ++i) sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  constexpr int T = 16;
  rect_tiled<T><<<dim3((l + T - 1) / T, (j + T - 1) / T), dim3(T, T)>>>(M, N, P, j, k, l);
}
