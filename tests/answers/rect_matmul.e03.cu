// SPDX-License-Identifier: Apache-2.0
// mistake: `not four columns left` is taken to mean `l % 4 left`. Threads wholly to the right of P get l % 4
//   columns too: where l is not a multiple of 4 they store into the next row of P, or past its end (l = 5).
// want: Your count has two answers, 4 and l % 4. Which answer does a thread get whose first column is already
//   past the end of the row, and which would be right for it? Try l = 5 and threadIdx.x = 2.

#include "rect_matmul.h"

// Each thread computes COLS neighbouring elements of a row of P and reads M's row only once for them.
template <int COLS>
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col0 = (blockIdx.x * blockDim.x + threadIdx.x) * COLS;
  if (row >= j) return;

  // the last thread of a row may have less to do
  const int count = col0 + COLS <= l ? COLS : l % COLS;

  float sum[COLS] = {};
  for (int i = 0; i < k; ++i) {
    const float m = M[row * k + i];
#pragma unroll
    for (int c = 0; c < COLS; ++c) {
      if (c < count) sum[c] += m * N[i * l + col0 + c];
    }
  }

#pragma unroll
  for (int c = 0; c < COLS; ++c) {
    if (c < count) P[row * l + col0 + c] = sum[c];
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  constexpr int kCols = 4;
  const dim3 block(16, 16);
  const int wide = block.x * kCols;
  const dim3 grid((l + wide - 1) / wide, (j + block.y - 1) / block.y);
  rect_matmul_kernel<kCols><<<grid, block>>>(M, N, P, j, k, l);
}
