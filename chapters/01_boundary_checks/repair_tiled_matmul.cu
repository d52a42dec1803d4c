// SPDX-License-Identifier: Apache-2.0
//
// Chapter 1, boundary checks. Somebody else wrote this kernel. Its author tried it with several widths on one
// card, and by pure luck the results were right every time. Still, it has three bugs. Beside each, a comment
// claims that all is well; you can trust all other comments.
//
// TODO: find the three bugs and fix them. The report names the line where the virtual GPU saw something
// wrong; the bug itself may be on another line. Each fix takes a line or two.
//
//   ./warplings check repair_tiled_matmul

#include "repair_tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, stored row by row. Each block computes one tile of P, in phases: in each
// phase its threads together load one tile of M and one of N into shared memory, and then add up the
// products of those two tiles.
__global__ void repair_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;

    // Load what exists. Where M has no element, N's tile holds zeros, and zero times anything is zero.
    if (row < width && m_col < width) {
      Mds[ty][tx] = M[row * width + m_col];
    }
    // A thread whose column does not exist computes no element of P, so what it loads never reaches a sum
    // that is stored.
    if (n_row < width) {
      Nds[ty][tx] = N[n_row * width + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    // Other threads loaded most of what this one needs: wait until both tiles are complete.
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    // The 32 threads of a warp run in lockstep; once they are all here, the next tiles can be loaded.
    __syncwarp();
  }

  // The grid covers P with whole tiles, so some threads have no element to store.
  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  repair_tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
