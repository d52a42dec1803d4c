// SPDX-License-Identifier: Apache-2.0
//
// Chapter 6, the capstone. The kernel below is right for every width, but on an H200, NVIDIA's own library is
// six times as fast. Make it fast: take the four steps one after another. After each, run the check: are
// the results still right? Then compare the report's counts with the limits in fast_matmul.h. The hints say
// more about each step.
//
//   ./warplings check fast_matmul --verbose

#include "fast_matmul.h"

#define TILE_WIDTH 32  // each block computes a 32 x 32 tile of P

// P = M x N, all width x width, stored row by row.
__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  // TODO 1, register tiling: each value read from shared memory is used for one product only. Let a thread
  // compute a patch of elements, 4 x 4 and later 8 x 8, with one sum per element in registers, and let a
  // block compute a tile of 64 x 64 or 128 x 128.
  float sum = 0.0f;

  for (int phase = 0; phase < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++phase) {
    // TODO 2, vector loads: reading a float4 loads four floats at once, from an address that is a multiple of
    // 16. Which values that a patch needs are neighbours in memory? When is a row aligned to 16 bytes?
    // TODO 3, layout: which banks do the threads of a warp read? Which patch should each thread own?
    // TODO 4, double buffering: load the tiles of the next phase while you compute with this one's.
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  fast_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
