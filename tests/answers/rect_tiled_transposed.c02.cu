// SPDX-License-Identifier: Apache-2.0
// mistake: 1. M's tile has a padding column: it is stored with 17 elements a row and read with 16. 2. the load of Mt still
//   asks whether row (counted with ty) is below j, though it now loads m_row (counted with tx).
// want: A row of Mds is how long where you store, and how long where you read? (Then: which row of M does the thread load
//   now, and which one does its condition check?)
#include "rect_tiled_transposed.h"

constexpr int W = 16;
constexpr int PITCH = W + 1;  // no bank conflicts

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[W * PITCH];
  __shared__ float Nds[W * W];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * W + ty;
  const int col = blockIdx.x * W + tx;

  float acc = 0.0f;
  for (int start = 0; start < k; start += W) {
    const int m_i = start + ty;
    const int m_row = blockIdx.y * W + tx;
    Mds[ty * PITCH + tx] = m_i < k && row < j ? Mt[m_i * j + m_row] : 0.0f;
    Nds[ty * W + tx] = m_i < k && col < l ? N[m_i * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < W; ++i) acc += Mds[i * W + ty] * Nds[i * W + tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = acc;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + W - 1) / W, (j + W - 1) / W);
  rect_tiled_transposed_kernel<<<grid, dim3(W, W)>>>(Mt, N, P, j, k, l);
}
