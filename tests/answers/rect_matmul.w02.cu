// SPDX-License-Identifier: Apache-2.0
// mistake: The block is 32 wide and 8 high, but the grid divides l by 8 and j by 32, the other way round: too
//   many blocks from left to right (their threads do nothing), too few from top to bottom. j = 9: grid.y = 1,
//   rows 0 to 7 are computed and row 8 is never stored. Right for j up to 8.
// want: How many rows of P does one block cover, and how many blocks are there from top to bottom for j = 9?
#include "rect_matmul.h"

constexpr int BX = 32;
constexpr int BY = 8;

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.x * BX + threadIdx.x;  // a warp is one piece of a row
  const int row = blockIdx.y * BY + threadIdx.y;
  if (row >= j || col >= l) return;

  const float* m = &M[row * k];
  float acc = 0.0f;
  for (int i = 0; i != k; ++i) acc = fmaf(m[i], N[i * l + col], acc);
  P[row * l + col] = acc;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!j || !l) return;
  const dim3 threads(BX, BY);
  const dim3 blocks(ceil_div(l, BY), ceil_div(j, BX));
  rect_matmul_kernel<<<blocks, threads>>>(M, N, P, j, k, l);
}
