// SPDX-License-Identifier: Apache-2.0
// mistake: Where k is 0, cudaMemset gets the number of elements, j * l, as its number of bytes: only the first quarter
//   of P becomes 0. With j = 2, k = 0, l = 4 it clears 8 bytes: P[0] and P[1]; the other 6 elements stay as they were.
//   The kernel is right.
// want: What does cudaMemset count in its third argument? With j = 2 and l = 4, up to which element of P does it get?
#include "rect_matmul.h"

// One thread an element; pointers walk through a row of M and down a column of N.
__global__ void product(const float* M, const float* N, float* P, int j, int k, int l) {
  const int c = blockDim.x * blockIdx.x + threadIdx.x;
  const int r = blockDim.y * blockIdx.y + threadIdx.y;
  if (c >= l || r >= j) return;

  const float* m = M + r * k;
  const float* const end = m + k;
  const float* n = N + c;
  float s = 0.0f;
  while (m != end) {
    s = fmaf(*m++, *n, s);
    n += l;
  }
  P[r * l + c] = s;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // P has no element
  if (k == 0) {
    // no products: zeros, and no kernel is needed for them
    cudaMemset(P, 0, j * l);
    return;
  }
  const dim3 block(32, 4);
  const dim3 grid((l + block.x - 1) / block.x, (j + block.y - 1) / block.y);
  product<<<grid, block>>>(M, N, P, j, k, l);
}
