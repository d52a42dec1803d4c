// SPDX-License-Identifier: Apache-2.0
// differs: the tiles come by asynchronous copies (__pipeline_memcpy_async with zero fill) into two stages: the next
// phase's are on their way while these are multiplied.

#include <cuda_pipeline.h>

#include "rect_tiled_matmul.h"

#define W 16

__global__ void staged_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m[2][W][W];
  __shared__ float n[2][W][W];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * W + ty, col = blockIdx.x * W + tx;
  const int phases = (k + W - 1) / W;

  auto start = [&](int phase) {
    const int s = phase & 1, m_col = phase * W + tx, n_row = phase * W + ty;
    const bool has_m = row < j && m_col < k, has_n = n_row < k && col < l;
    // Nothing is read where all four bytes are filled with zeros; the address is a valid one all the same.
    __pipeline_memcpy_async(&m[s][ty][tx], has_m ? M + row * k + m_col : M, 4, has_m ? 0 : 4);
    __pipeline_memcpy_async(&n[s][ty][tx], has_n ? N + n_row * l + col : N, 4, has_n ? 0 : 4);
    __pipeline_commit();
  };

  float sum = 0.0f;
  if (phases > 0) start(0);
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + 1 < phases) {
      start(phase + 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    const int s = phase & 1;
    for (int i = 0; i < W; ++i) sum += m[s][ty][i] * n[s][i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j && l) staged_kernel<<<dim3((l + W - 1) / W, (j + W - 1) / W), dim3(W, W)>>>(M, N, P, j, k, l);
}
