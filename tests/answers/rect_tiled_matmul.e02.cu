// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile is kept transposed in shared memory, elements go to Mds[tx][ty], but the zeros go to
//   Mds[ty][tx]. At the edges a zero overwrites (races with) somebody else's element, and the place that
//   should be zero keeps old values: wrong where j or k is not a multiple of 16.
// want: You turned M's tile over in shared memory. At how many places is it written, and do they all agree
//   about which index comes first? Whose place does a thread without an element write to?

#include "rect_tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  // Mds[i][r]: column i, row r. Then both tiles are read with the same first index. + 1 against conflicts.
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + 1];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  // what this thread loads next; both walk along k
  const float* m = M + row * k + tx;
  const float* n = N + ty * l + col;

  float sum = 0.0f;
  for (int left = k; left > 0; left -= TILE_WIDTH) {
    if (row < j && tx < left) {
      Mds[tx][ty] = *m;
    } else {
      Mds[ty][tx] = 0.0f;
    }
    if (ty < left && col < l) {
      Nds[ty][tx] = *n;
    } else {
      Nds[ty][tx] = 0.0f;
    }
    m += TILE_WIDTH;
    n += TILE_WIDTH * l;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[i][ty] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int right = (l + TILE_WIDTH - 1) / TILE_WIDTH;
  const int down = (j + TILE_WIDTH - 1) / TILE_WIDTH;
  if (right == 0 || down == 0) return;
  rect_tiled_matmul_kernel<<<dim3(right, down), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, j, k, l);
}
