// SPDX-License-Identifier: Apache-2.0
// mistake: in the last, incomplete phase the column of N is held below k instead of below l. j = 16, k = 17, l =
//   32: columns 17 to 31 of P get M[r][16] * N[16][16] instead of M[r][16] * N[16][c]. Where k > l (k = 33, l =
//   17) columns that do not exist are read, in N's last row behind N. Right where 16 divides k. (That nothing
//   is set to zero is all right: the sums run only over what was loaded, and clamped lanes are not stored.)
// want: Compare the last phase with the others: which limit keeps the column of N inside N, and is it the same
//   in both places?
#include "rect_tiled_matmul.h"

constexpr int W = 16;

__global__ void mm_main_and_tail(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float ms[W][W], ns[W][W];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * W + ty, col = blockIdx.x * W + tx;

  // Threads outside of P load the last row or column once more, so that nobody needs an if.
  const int safe_row = min(row, j - 1);
  float sum = 0;

  const int full = k / W;
  const float* m = M + safe_row * k + tx;
  const float* n = N + ty * l + min(col, l - 1);
  for (int p = 0; p < full; ++p) {
    ms[ty][tx] = *m;
    ns[ty][tx] = *n;
    m += W;
    n += W * l;
    __syncthreads();
    for (int i = 0; i < W; ++i) sum += ms[ty][i] * ns[i][tx];
    __syncthreads();
  }

  // what is left of k: less than a tile
  const int rest = k - full * W;
  if (rest > 0) {
    if (tx < rest) ms[ty][tx] = M[safe_row * k + full * W + tx];
    if (ty < rest) ns[ty][tx] = N[(full * W + ty) * l + min(col, k - 1)];
    __syncthreads();
    for (int i = 0; i < rest; ++i) sum += ms[ty][i] * ns[i][tx];
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!j || !l) return;
  mm_main_and_tail<<<dim3((l + W - 1) / W, (j + W - 1) / W), dim3(W, W)>>>(M, N, P, j, k, l);
}
