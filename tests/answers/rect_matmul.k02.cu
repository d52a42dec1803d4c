// SPDX-License-Identifier: Apache-2.0
// mistake: each thread computes four columns side by side, and leaves where not all four exist: the last l % 4 columns
//   of P are never stored (all of P where l is below 4).
// want: With l = 6: which thread has columns 4 and 5, and what does it do?
#include "rect_matmul.h"

#define BW 16
#define PER_THREAD 4

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int c0 = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;

  // outside of P
  if (row >= j || c0 + PER_THREAD > l) return;

  float acc[PER_THREAD] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int i = 0; i < k; ++i) {
    const float m = M[row * k + i];  // used four times
    for (int q = 0; q < PER_THREAD; ++q) {
      acc[q] += m * N[i * l + c0 + q];
    }
  }

  for (int q = 0; q < PER_THREAD; ++q) {
    P[row * l + c0 + q] = acc[q];
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // P is empty

  const dim3 block(BW, BW);
  const int wide = BW * PER_THREAD;  // columns that a block computes
  const dim3 grid((l + wide - 1) / wide, (j + BW - 1) / BW);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
