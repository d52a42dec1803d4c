// SPDX-License-Identifier: Apache-2.0
// mistake: The host function returns early also where k is 0, and P keeps what was there; but a P of j x l
//   elements exists, and each is the sum of no products, 0. j = 3, k = 0, l = 5: fifteen zeros are missing.
//   Everything else is right: the tile is turned while it is stored (Mds[tx][ty]), so that it is read as
//   Mds[ty][i].
// want: Which of the three sides, when it is 0, leaves P without elements? What has P to hold for j = 3, k =
//   0, l = 5?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* __restrict__ Mt, const float* __restrict__ N,
                                             float* __restrict__ P, int j, int k, int l) {
  // The tile of M is turned on its way into shared memory; one column more keeps the banks apart.
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int m_row = row - ty + tx;

  float sum = 0.0f;
  for (int i0 = 0; i0 < k; i0 += TILE_WIDTH) {
    const int i = i0 + ty;
    Mds[tx][ty] = i < k && m_row < j ? Mt[i * j + m_row] : 0.0f;
    Nds[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int q = 0; q < TILE_WIDTH; ++q) sum += Mds[ty][q] * Nds[q][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  // an empty matrix somewhere: nothing to multiply
  if (j == 0 || k == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
