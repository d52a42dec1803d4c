// SPDX-License-Identifier: Apache-2.0
// mistake: The rest of k behind the last whole tile is multiplied straight from global memory, 8 bytes for each
//   product. With k = 15 no tile is used at all, and 120 x j x l bytes are loaded where 2 x j x 16 x l are allowed;
//   with k = 47 (j, l multiples of 16) it is 136 x j x l where 96 x j x l are allowed. The values are right, and so is
//   the grid, whose x goes down P.
// want: Count the bytes that a block loads where k is 15. How many of them go through a tile?
#include "rect_tiled_matmul.h"

template <int T>
__global__ void rect_tiled(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[T][T], b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.x * T + ty;  // x goes down P
  const int col = blockIdx.y * T + tx;  // y goes to the right
  const int whole = k / T * T;

  float sum = 0;
  for (int base = 0; base < whole; base += T) {
    // only whole tiles come along here: the phase's side needs no check
    a[ty][tx] = row < j ? M[row * k + base + tx] : 0;
    b[ty][tx] = col < l ? N[(base + ty) * l + col] : 0;
    __syncthreads();
    for (int i = 0; i < T; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();
  }

  if (row < j && col < l) {
    // fewer than T products are left over
    for (int i = whole; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  constexpr int T = 16;
  rect_tiled<T><<<dim3((j + T - 1) / T, (l + T - 1) / T), dim3(T, T)>>>(M, N, P, j, k, l);
}
