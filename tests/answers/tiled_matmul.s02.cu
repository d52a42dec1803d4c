// SPDX-License-Identifier: Apache-2.0
// mistake: Each phase is a block of its own (blockIdx.z); phase 0's block stores its part and the others add theirs with
//   atomicAdd. Blocks run in no order: what another block added before the store is lost. With width = 17, if block
//   (0, 0, 1) comes before block (0, 0, 0), P[0][0] lacks the product M[0][16] * N[16][0]. Up to width 16 there is only
//   phase 0, and all is right.
// want: Suppose the block of phase 1 is finished before that of phase 0 begins. Which value has P[0][0] then, and which
//   after phase 0's block?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// The phases need not wait for one another: each becomes a layer of the grid.
__global__ void one_phase(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const int m_col = blockIdx.z * TILE_WIDTH + tx;
  const int n_row = blockIdx.z * TILE_WIDTH + ty;

  Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
  Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
  __syncthreads();

  if (row >= width || col >= width) return;
  float sum = 0.0f;
  for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];

  float* p = P + row * width + col;
  if (blockIdx.z == 0) {
    *p = sum;  // the first one: P has no value yet
  } else {
    atomicAdd(p, sum);
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles, tiles);
  one_phase<<<grid, block>>>(M, N, P, width);
}
