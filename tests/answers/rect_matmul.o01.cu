// SPDX-License-Identifier: Apache-2.0
// mistake: M's rows are read as float4 whatever k is. A row begins at byte 4 * row * k, a multiple of 16 only where 4
//   divides row * k: with k = 5, row 1 begins at byte 20, a misaligned load of 16 bytes, which ends the kernel with an
//   error. The last k % 4 products are added rightly; k below 4 (no float4 at all) and multiples of 4 work, and j = 1.
// want: A float4 may be loaded from some addresses only. At which byte does M's row 1 begin with k = 5? And with k =
//   8?
#include "rect_matmul.h"

// row of M times column of N; four products at a time, the rest one by one
__device__ float dot(const float* m, const float* n, int k, int l) {
  float s = 0.0f;
  const float4* m4 = reinterpret_cast<const float4*>(m);
  const int quads = k / 4;
  for (int q = 0; q < quads; ++q) {
    const float4 v = m4[q];
    s += v.x * n[0];
    s += v.y * n[l];
    s += v.z * n[2 * l];
    s += v.w * n[3 * l];
    n += 4 * l;
  }
  for (int i = 4 * quads; i < k; ++i) {
    s += m[i] * *n;
    n += l;
  }
  return s;
}

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= j || col >= l) return;
  P[row * l + col] = dot(M + row * k, N + col, k, l);
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(32, 4);
  const dim3 grid((l + block.x - 1) / block.x, (j + block.y - 1) / block.y);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
