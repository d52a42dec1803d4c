// SPDX-License-Identifier: Apache-2.0
// mistake: the grid has one block for each row of P in its y direction, where a grid has at most 65535. For j =
//   65536 and more (j = 70000, k = 1, l = 1) the launch fails with an invalid configuration, and P is not written.
// want: How tall may P get before your grid no longer exists? Look up what a grid may have at most in x, y and z.
#include "rect_matmul.h"

// A block has 256 neighbouring columns of one row of P.
__global__ void row_kernel(const float* M, const float* N, float* P, int k, int l) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= l) return;

  const float* m = M + (size_t)row * k;
  const float* n = N + col;
  float sum = 0.0f;
  for (const float* end = m + k; m != end; ++m, n += l) sum = fmaf(*m, *n, sum);

  P[(size_t)row * l + col] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // k == 0 is fine: the loop does not run, and zeros are stored
  const int threads = 256;
  const dim3 grid((l + threads - 1) / threads, j);
  row_kernel<<<grid, threads>>>(M, N, P, k, l);
}
