// SPDX-License-Identifier: Apache-2.0
// mistake: the pointer into Mt goes on by T elements in each phase, as it would in M; in Mt the phases walk down, and the
//   next tile lies T rows, T * j elements, further. Right where k is at most T.
// want: From one phase to the next, does the tile move to the right or down in Mt? How many elements is that in memory?
#include "rect_tiled_transposed.h"

constexpr int T = 16;

__global__ void transposed_walk(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[T][T];  // a[i][row]
  __shared__ float b[T][T];  // b[i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // what this thread loads
  const int loadRow = blockIdx.y * T + tx;
  const int col = blockIdx.x * T + tx;
  const float* pa = Mt + (size_t)ty * j + loadRow;
  const float* pb = N + (size_t)ty * l + col;

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += T) {
    const bool there = i0 + ty < k;
    a[ty][tx] = there && loadRow < j ? *pa : 0.0f;
    b[ty][tx] = there && col < l ? *pb : 0.0f;
    __syncthreads();

    for (int i = 0; i < T; ++i) sum += a[i][ty] * b[i][tx];
    __syncthreads();

    // on to the next tiles
    pa += T;
    pb += (size_t)T * l;
  }

  // what it stores
  const int row = blockIdx.y * T + ty;
  if (row < j && col < l) P[(size_t)row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  dim3 grid((l + T - 1) / T, (j + T - 1) / T);
  transposed_walk<<<grid, dim3(T, T)>>>(Mt, N, P, j, k, l);
}
