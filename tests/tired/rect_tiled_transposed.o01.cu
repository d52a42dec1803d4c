// SPDX-License-Identifier: Apache-2.0
// mistake: the column of Mt (the row of M) that a thread loads is counted from blockIdx.x * T, as for N, instead of
//   from blockIdx.y * T: block (bx, by) multiplies with M's tile row bx. Right where bx == by and wrong in every other
//   block: with j = 1, k = 1, l = 17, block (1, 0) finds rows 16 and more of M, which do not exist, and P[0][16] is 0.
//   The tile kept as [i][row], and read so, is right.
// want: The first block is right, its right-hand neighbour is not. Which rows of M does a block need that computes the
//   tile (bx, by) of P, and what do blocks side by side in the grid have in common?
#include "rect_tiled_transposed.h"

static constexpr int T = 16;

__global__ void transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float mt[T][T];  // mt[i][row], just as in memory
  __shared__ float nn[T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x0 = blockIdx.x * T;
  const int y0 = blockIdx.y * T;

  // element (r, c) of a matrix stored row by row, or zero
  auto fetch = [](const float* A, int r, int c, int rows, int cols) {
    return r < rows && c < cols ? A[r * cols + c] : 0.0f;
  };

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += T) {
    mt[ty][tx] = fetch(Mt, i0 + ty, x0 + tx, k, j);
    nn[ty][tx] = fetch(N, i0 + ty, x0 + tx, k, l);
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += mt[i][ty] * nn[i][tx];
    __syncthreads();
  }

  const int row = y0 + ty;
  const int col = x0 + tx;
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  auto up = [](int n) { return (n + T - 1) / T; };
  transposed_kernel<<<dim3(up(l), up(j)), dim3(T, T)>>>(Mt, N, P, j, k, l);
}
