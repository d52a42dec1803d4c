// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: The tile in shared memory is turned, but the load from global memory still walks down a column
//   of Mt with tx: a warp touches 16 sectors for 128 bytes, 2.5 times the bytes with N's loads; j = k = l = 32 shows it.
//   And what remains of k after whole tiles is loaded without tiles, 8 bytes for each product: j = l = 16, k 15 loads
//   8 * 15 * 256 = 30720 bytes, allowed are 2 * 16 * 16 * 16 = 8192. The values are right.
// want: At which addresses of Mt do threads tx = 0, 1, 2 of one warp load? (Then: how many bytes does a block load for k = 15?)
#include "rect_tiled_transposed.h"

#define TILE_WIDTH 16

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P: below j
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N: below l
  const bool has_row = row < j;
  const bool has_col = col < l;

  // whole tiles along k
  const int whole = k / TILE_WIDTH * TILE_WIDTH;

  float sum = 0.0f;
  for (int base = 0; base < whole; base += TILE_WIDTH) {
    // M comes transposed, so it goes into its tile transposed.
    Mds[tx][ty] = has_row ? Mt[(base + tx) * j + row] : 0.0f;
    Nds[ty][tx] = has_col ? N[(base + ty) * l + col] : 0.0f;
    __syncthreads();

    for (int i = 0; i < TILE_WIDTH; ++i) {
      sum += Mds[i][ty] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (has_row && has_col) {
    // the few products that do not fill a tile
    for (int i = whole; i < k; ++i) {
      sum += Mt[i * j + row] * N[i * l + col];
    }
    P[row * l + col] = sum;
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((l + TILE_WIDTH - 1) / TILE_WIDTH, (j + TILE_WIDTH - 1) / TILE_WIDTH);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
