// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the products that are left over after groups of four pair M's elements from the end
//   with N's from the front. With j = 1, k = 2, l = 1, M = 1 2 and N = 3 4 the answer is 2*3 + 1*4 = 10
//   instead of 11; with one left over it is right, with two or three it is not. And the grid is always 32
//   blocks of 128 threads: with j = l = 600 a thread stores up to 88 elements of P, where 64 are allowed.
// want: work through k = 2 by hand: which element of N does the last element of M's row meet?
#include "rect_matmul.h"

__device__ float dot(const float* m, const float* n, int k, int l) {
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (int g = 0; g < k / 4; ++g) {
    s0 += m[4 * g + 0] * n[0];
    s1 += m[4 * g + 1] * n[l];
    s2 += m[4 * g + 2] * n[2 * l];
    s3 += m[4 * g + 3] * n[3 * l];
    n += 4 * l;
  }
  // the rest: n stands at its first element already
  for (int r = 0; r < k % 4; ++r) s0 += m[k - 1 - r] * n[r * l];
  return (s0 + s1) + (s2 + s3);
}

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < j * l; i += stride) {
    const int row = i / l, col = i - row * l;
    P[i] = dot(M + row * k, N + col, k, l);
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  rect_matmul_kernel<<<32, 128>>>(M, N, P, j, k, l);
}
