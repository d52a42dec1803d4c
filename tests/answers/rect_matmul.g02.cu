// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the loop for the rest starts at k / 4, the number of groups, not at 4 * (k / 4): for k >= 4 products that
//   the first loop has added are added again. (2) each row of P is one block in y, where a grid may have at most 65535
//   blocks: with more rows than that nothing is launched.
// want: With k = 5, which i do your two loops visit, one after the other? Then: how many blocks may a grid have in
//   x, how many in y, and how many rows may P have?

#include "rect_matmul.h"

#define BLOCK 128

// A block works in one row of P: blockIdx.y is the row, x goes along the columns.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int k, int l) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * BLOCK + threadIdx.x;
  if (col >= l) return;

  const float* m = M + (size_t)row * k;
  const float* n = N + col;

  // four products at a time
  const int fours = k / 4;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int f = 0; f < fours; ++f) {
    const int i = 4 * f;
    s0 += m[i] * n[(size_t)i * l];
    s1 += m[i + 1] * n[(size_t)(i + 1) * l];
    s2 += m[i + 2] * n[(size_t)(i + 2) * l];
    s3 += m[i + 3] * n[(size_t)(i + 3) * l];
  }
  // and what is left of them
  for (int i = fours; i < k; ++i) {
    s0 += m[i] * n[(size_t)i * l];
  }

  P[(size_t)row * l + col] = (s0 + s1) + (s2 + s3);
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + BLOCK - 1) / BLOCK, j);
  rect_matmul_kernel<<<grid, BLOCK>>>(M, N, P, k, l);
}
