// SPDX-License-Identifier: Apache-2.0
// mistake: Mt is loaded at row i = base + ty, column top + tx, but its column is checked through `row`, top + ty, which
//   is the row of P that the thread computes. With j = 17, k = l = 16, block row 1: only ty = 0 passes, so that only
//   M[16][0] comes into the tile and P[16][*] has one product instead of 16; and tx >= 1 reads elements of Mt that do
//   not belong to the tile. Where 16 divides j all is right.
// want: Take j = 17 and the second row of blocks. Which element of Mt does thread (tx, ty) = (0, 1) load, and which check
//   decides about it?
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];  // as in Mt: [i][row]
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * TILE_WIDTH;
  const int row = top + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE_WIDTH) {
    const int i = base + ty;  // row of Mt and of N
    Mds[ty][tx] = i < k && row < j ? Mt[i * j + top + tx] : 0.0f;
    Nds[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    __syncthreads();

    for (int q = 0; q < TILE_WIDTH; ++q) {
      sum += Mds[q][ty] * Nds[q][tx];
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    P[row * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
