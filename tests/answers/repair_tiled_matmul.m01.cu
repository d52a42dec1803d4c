// SPDX-License-Identifier: Apache-2.0
// mistake: the second barrier was made a __syncthreads(), but then an if around the sum took it in: only threads that
//   have an element of P reach it, where the block hangs over the edge.
// want: Which threads of the block at the right edge come to the second __syncthreads()? All of them have to: put it
//   behind the if.
#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N
  const bool mine = row < width && col < width;  // do I have an element of P?

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // fault 1: zeros were missing here
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    } else {
      Mds[ty][tx] = 0.0f;
    }
    // fault 2: col was not checked
    if (n_row < width && col < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Other threads brought most of what this one needs: wait until both tiles are there.
    __syncthreads();

    // the others need not compute anything
    if (mine) {
      for (int k = 0; k < TILE_WIDTH; ++k) {
        sum += Mds[ty][k] * Nds[k][tx];
      }
      // fault 3: a warp is not the block
      __syncthreads();
    }
  }

  if (mine) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
