// SPDX-License-Identifier: Apache-2.0
// mistake: a thread without an element of P (row >= j or col >= l) stores zeros in both tiles, though the element of M or
//   N at its place exists and the other threads need it.
// want: l is 17: in the right block only tx = 0 has an element of P. Who loads columns 1 to 15 of M's tile for it?
#include "rect_tiled_matmul.h"

template <int TILE>
__global__ void matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  const bool active = row < j && col < l;  // computed once, used everywhere

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    const int m_col = base + threadIdx.x;
    const int n_row = base + threadIdx.y;
    Mds[threadIdx.y][threadIdx.x] = active && m_col < k ? M[row * k + m_col] : 0.0f;
    Nds[threadIdx.y][threadIdx.x] = active && n_row < k ? N[n_row * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE; ++i) sum += Mds[threadIdx.y][i] * Nds[i][threadIdx.x];
    __syncthreads();
  }

  if (active) P[row * l + col] = sum;
}

static unsigned ceil_div(int a, int b) { return (a + b - 1) / b; }

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  matmul<16><<<dim3(ceil_div(l, 16), ceil_div(j, 16)), dim3(16, 16)>>>(M, N, P, j, k, l);
}
