// SPDX-License-Identifier: Apache-2.0
// differs: tiles of 12 x 12 (no power of two) in dynamic shared memory, N's before M's, M's tile turned and padded;
// phases counted downwards; Windows line ends and a byte order mark.

#include "rect_tiled_matmul.h"

template <int SIDE>
__global__ void odd_tiles(const float* M, const float* N, float* P, int j, int k, int l) {
  extern __shared__ float memory[];
  float(*const n)[SIDE] = reinterpret_cast<float(*)[SIDE]>(memory);
  float(*const m)[SIDE + 1] = reinterpret_cast<float(*)[SIDE + 1]>(memory + SIDE * SIDE);

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * SIDE + ty, col = blockIdx.x * SIDE + tx;
  float sum = 0.0f;
  for (int phase = (k + SIDE - 1) / SIDE - 1; phase >= 0; --phase) {
    const int m_col = phase * SIDE + tx, n_row = phase * SIDE + ty;
    m[tx][ty] = (m_col < k && row < j) ? M[row * k + m_col] : 0.0f;
    n[ty][tx] = (n_row < k && col < l) ? N[n_row * l + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SIDE; ++i) sum += m[i][ty] * n[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  constexpr int side = 12;
  constexpr size_t bytes = (side * side + side * (side + 1)) * sizeof(float);
  const dim3 grid((l + side - 1) / side, (j + side - 1) / side, 1);
  if (grid.x == 0 || grid.y == 0) return;
  odd_tiles<side><<<grid, {side, side, 1}, bytes>>>(M, N, P, j, k, l);
}
