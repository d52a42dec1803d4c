// SPDX-License-Identifier: Apache-2.0
// mistake: the grid has a row of blocks for each row of P, in y, where a grid may have at most 65535. With
//   j = 70000, k = 1, l = 1 the launch fails, and nothing is stored. For smaller j all is right.
// want: how large may a grid be in x, and how large in y? Which j does your launch allow?
#include "rect_matmul.h"

// One row of P per blockIdx.y; the threads lie side by side in this row.
__global__ void row_times_matrix(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= l) return;

  const float* m = M + (size_t)row * k;
  const float* const end = m + k;
  const float* n = N + col;
  float sum = 0.0f;
  while (m != end) {
    sum += *m++ * *n;
    n += l;
  }
  P[(size_t)row * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  // a narrow P does not need wide blocks
  const int threads = l < 256 ? (l + 31) / 32 * 32 : 256;
  const dim3 grid((l + threads - 1) / threads, j);
  row_times_matrix<<<grid, threads>>>(M, N, P, j, k, l);
}
