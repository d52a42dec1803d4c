// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: passed
// must not: be refused without a rule in the contract
// Control on the border: M and N are copied into zero-filled arrays of a multiple of 16 by cudaMemcpy2D, the kernel without checks runs there, and a small kernel brings the part that exists to P.

#include "tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N, all width x width, row by row. Each block computes one tile of P, in phases: in each
// phase its threads together bring one tile of M and one of N into shared memory and add up the part
// of the inner products that those two tiles hold.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;  // of P and of M
  const int col = blockIdx.x * TILE_WIDTH + tx;  // of P and of N

  // TODO 1: how many phases does a width of 17 need?
  const int phases = width / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;  // the column of M that this thread loads
    const int n_row = phase * TILE_WIDTH + ty;  // the row of N that this thread loads

    // TODO 2: not every (row, m_col) is an element of M, and not every (n_row, col) is one of N.
    // Load what exists. What belongs into the tile where nothing exists?
    Mds[ty][tx] = M[row * width + m_col];
    Nds[ty][tx] = N[n_row * width + col];
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  // TODO 3: does this thread have an element of P?
  P[row * width + col] = sum;
}

static void solve(const float* M, const float* N, float* P, int width) {
  // TODO 4: enough blocks to cover all of P.
  const int tiles = width / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}

__global__ void crop(const float* from, float* to, int width, int padded) {
  const int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  if (r < width && c < width) to[r * width + c] = from[r * padded + c];
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int w = (width + 15) / 16 * 16;
  const size_t b = sizeof(float) * w * w;
  float* d;
  cudaMalloc(&d, 3 * b);
  cudaMemset(d, 0, 2 * b);
  cudaMemcpy2D(d, w * 4, M, width * 4, width * 4, width, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(d + w * w, w * 4, N, width * 4, width * 4, width, cudaMemcpyDeviceToDevice);
  solve(d, d + w * w, d + 2 * w * w, w);
  crop<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(d + 2 * w * w, P, width, w);
  cudaFree(d);
}
