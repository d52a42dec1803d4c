// SPDX-License-Identifier: Apache-2.0
// mistake: The number of blocks is width / 16 rounded to the nearest, not up. With width = 17 that is 1, and row 16 and
//   column 16 of P are never stored; with width = 7 it is 0, and the launch fails. Widths whose rest by 16 is 0 or at
//   least 8 are right. The loads' checks by index alone are right: what M's tile has too much meets zeros of N's tile.
// want: How many tiles does a width of 17 need, and how many does your launch give it? Try 7 as well.
#include "tiled_matmul.h"

#include <cmath>

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float NdsT[TILE_WIDTH][TILE_WIDTH + 1];  // on its side, so that both are read along a row

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int size = width * width;

  float sum = 0.0f;
  for (int base = 0; base < width; base += TILE_WIDTH) {
    const int m = row * width + base + tx;
    const int n = (base + ty) * width + col;
    Mds[ty][tx] = m < size ? M[m] : 0.0f;
    NdsT[tx][ty] = n < size ? N[n] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * NdsT[tx][k];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  // not cut off, or the last tile would be missing
  const unsigned tiles = std::lround(width / double(TILE_WIDTH));

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
