// SPDX-License-Identifier: Apache-2.0
// mistake: two: a block computes four tiles one below the other, and sum is not set back to 0 between them, so that
//   the second has the first one's values in it (width above 16). And threads whose row does not exist leave the
//   loop before the barriers, though the others need the rows of N that they would have loaded.
// want: With what value does sum begin in the second of a block's tiles? (And after that: which rows of N does a
//   thread load whose row of P does not exist, and who needs them?)
#include "tiled_matmul.h"

#define TILE_WIDTH 16
#define COARSE 4  // tiles per block, going down

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int c = 0; c < COARSE; ++c) {
    const int row = (blockIdx.y * COARSE + c) * TILE_WIDTH + ty;
    if (row >= width) break;  // below the matrix, nothing left for me

    for (int ph = 0; ph < phases; ++ph) {
      const int mc = ph * TILE_WIDTH + tx;
      const int nr = ph * TILE_WIDTH + ty;
      Mds[ty][tx] = mc < width ? M[row * width + mc] : 0.0f;
      Nds[ty][tx] = (nr < width && col < width) ? N[nr * width + col] : 0.0f;
      __syncthreads();

      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      __syncthreads();
    }

    if (col < width) {
      P[row * width + col] = sum;
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, (tiles + COARSE - 1) / COARSE);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
