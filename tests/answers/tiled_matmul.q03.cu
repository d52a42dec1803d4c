// SPDX-License-Identifier: Apache-2.0
// mistake: where TILE_WIDTH does not divide width, warp 0 clears both tiles in each phase, and the others store their
//   elements without waiting for that: a race between the zero and the element. width = 17: warp 0 writes 0 to Mds[5][0],
//   thread (0, 5) of warp 2 writes M[5][0] there; if the zero comes last, products are missing. Where 16 divides width
//   nothing is cleared and all is right.
// want: width = 17: who writes to Mds[5][0] in a phase, and in which order?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool ragged = width % TILE_WIDTH != 0;

  float sum = 0.0f;
  for (int from = 0; from < width; from += TILE_WIDTH) {
    const int m_col = from + tx;
    const int n_row = from + ty;

    // The first warp sees to the zeros where nothing exists.
    if (ragged && ty < 2) {
      for (int r = ty; r < TILE_WIDTH; r += 2) {
        Mds[r][tx] = 0.0f;
        Nds[r][tx] = 0.0f;
      }
    }
    // Then everybody loads what does.
    if (row < width && m_col < width) Mds[ty][tx] = M[row * width + m_col];
    if (n_row < width && col < width) Nds[ty][tx] = N[n_row * width + col];
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / TILE_WIDTH + 1;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
