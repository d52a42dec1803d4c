// SPDX-License-Identifier: Apache-2.0
// mistake: the pointer into Mt moves on by 16 * k, as if a row of Mt had k elements; Mt is k x j, its rows have j. The
//   first phase is right, and with j equal to k all of them; otherwise every later phase reads the wrong elements.
// want: Small k works, and so do square matrices. How many elements lie between Mt's row 0 and its row 16, and how
//   far does your pointer go after a phase?

#include "rect_tiled_transposed.h"

constexpr int T = 16;

__global__ void __launch_bounds__(T* T)
    rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[T * T];
  __shared__ float Nds[T * T];

  const int t = threadIdx.x;
  const int tx = t % T;
  const int ty = t / T;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;
  const int m_row = blockIdx.y * T + tx;

  const bool m_exists = m_row < j;
  const bool n_exists = col < l;
  const float* mt = Mt + ty * j + m_row;
  const float* n = N + ty * l + col;

  float sum = 0.0f;
  for (int left = k; left > 0; left -= T) {
    Mds[t] = m_exists && ty < left ? *mt : 0.0f;
    Nds[t] = n_exists && ty < left ? *n : 0.0f;
    __syncthreads();

    for (int i = 0; i < T; ++i) {
      sum += Mds[i * T + ty] * Nds[i * T + tx];
    }
    __syncthreads();

    mt += T * k;
    n += T * l;
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  rect_tiled_transposed_kernel<<<grid, T * T>>>(Mt, N, P, j, k, l);
}
