// SPDX-License-Identifier: Apache-2.0
// differs: loads along rows of Mt but stores the tile turned (with a pitch of 17), so that the product loop is that of
// the usual kernel; 1-D blocks; Windows line ends.

#include "rect_tiled_transposed.h"

#define SIDE 16

__global__ void turned_tile(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[SIDE][SIDE + 1];  // [row of M][column of M]
  __shared__ float Nds[SIDE][SIDE];

  const int tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;
  const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;

  float sum = 0.0f;
  for (int first = 0; first < k; first += SIDE) {
    float m = 0.0f, n = 0.0f;
    if (first + ty < k) {
      if (top + tx < j) m = Mt[(first + ty) * j + top + tx];
      if (left + tx < l) n = N[(first + ty) * l + left + tx];
    }
    Mds[tx][ty] = m;
    Nds[ty][tx] = n;
    __syncthreads();
    for (int i = 0; i < SIDE; ++i) sum += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (top + ty < j && left + tx < l) P[(top + ty) * l + left + tx] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  turned_tile<<<dim3((l - 1) / SIDE + 1, (j - 1) / SIDE + 1), SIDE * SIDE>>>(Mt, N, P, j, k, l);
}
