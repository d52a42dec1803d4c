// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the shuffle loop stops before offset 1, so that lane 0 ends with the sum of the even
//   lanes only: for k = 2 P lacks M[r][1] * N[1][c], and so all odd i. And the early return asks for j and l both
//   0: with only one of them 0 (j = 0, l = 5) the grid has 0 blocks, and the launch is an error.
// want: First: write down for 4 lanes which values lane 0 has after each round of your loop. Then: how many
//   blocks do you launch for j = 0, l = 5?
#include "rect_matmul.h"

#define WARPS 8

// One warp for each element of P. Warps are numbered down the columns of P.
__global__ void warp_dot(const float* M, const float* N, float* P, int j, int k, int l) {
  const int lane = threadIdx.x;
  const int w = blockIdx.x * WARPS + threadIdx.y;
  if (w >= j * l) return;  // whole warps
  const int row = w % j;
  const int col = w / j;

  const float* m = M + row * k + lane;
  const float* n = N + lane * l + col;
  float part = 0.f;
  for (int i = lane; i < k; i += 32) {
    part += *m * *n;
    m += 32;
    n += 32 * l;
  }
  for (int off = 16; off > 1; off >>= 1) part += __shfl_down_sync(0xffffffffu, part, off);

  if (lane == 0) P[row * l + col] = part;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 && l == 0) return;
  const dim3 block(32, WARPS);
  warp_dot<<<(j * l + WARPS - 1) / WARPS, block>>>(M, N, P, j, k, l);
}
