// SPDX-License-Identifier: Apache-2.0
// mistake: each row of P has its own gridDim.y, and a grid has at most 65535 blocks in y: with more rows the launch fails
//   and P stays as it was. j = 65536, k = 1, l = 1 is enough. Up to j = 65535 all is right.
// want: How large is the grid for j = 70000, k = 1, l = 1? Does the launch succeed? Look at what cudaGetLastError says.
#include "rect_matmul.h"

constexpr int kThreads = 128;

// A block computes 128 neighbouring elements of one row: blockIdx.y is the row.
__global__ void row_times_matrix(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int k,
                                 int l) {
  const int col = blockIdx.x * kThreads + threadIdx.x;
  const int row = blockIdx.y;
  if (col >= l) return;

  const float* line = M + (size_t)row * k;  // the same for the whole block
  float total = 0.0f;
#pragma unroll 4
  for (int i = 0; i < k; ++i) {
    total = fmaf(__ldg(line + i), __ldg(N + (size_t)i * l + col), total);
  }
  P[(size_t)row * l + col] = total;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // P is empty. k == 0 is fine: the loop does not run
  const dim3 grid((l + kThreads - 1) / kThreads, j);
  row_times_matrix<<<grid, kThreads>>>(M, N, P, k, l);
}
