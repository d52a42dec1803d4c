// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: n has already moved on by four rows in each pass of the unrolled loop, and the rest is indexed
//   from it by i * l once more. k = 5: the fifth product takes N[8 * l + col] instead of N[4 * l + col], past
//   the end of N; right only where 4 divides k or k is below 4. And grid.y is j, which may be at most 65535:
//   j = 65536, k = l = 1 launches nothing.
// want: k = 5: where does n point to when the second loop begins, and which element of N is n[i * l] then?
#include "rect_matmul.h"

#define THREADS 128

__global__ void row_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y;  // one row of P per block row
  const int col = blockIdx.x * THREADS + threadIdx.x;
  if (row >= j || col >= l) return;

  const float* m = M + (size_t)row * k;
  const float* n = N + col;

  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= k; i += 4) {
    s0 += m[i + 0] * n[0 * (size_t)l];
    s1 += m[i + 1] * n[1 * (size_t)l];
    s2 += m[i + 2] * n[2 * (size_t)l];
    s3 += m[i + 3] * n[3 * (size_t)l];
    n += 4 * (size_t)l;
  }
  // the up to three that are left
  for (; i < k; ++i) s0 += m[i] * n[i * (size_t)l];

  P[(size_t)row * l + col] = (s0 + s1) + (s2 + s3);
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  dim3 grid((l + THREADS - 1) / THREADS, j);
  row_kernel<<<grid, THREADS>>>(M, N, P, j, k, l);
}
