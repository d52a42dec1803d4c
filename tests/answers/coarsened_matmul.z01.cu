// SPDX-License-Identifier: Apache-2.0
// mistake: The loads of N ask whether the column exists, but not whether the row does; the zeros of M are to make up for it.
//   But the loads are out of range all the same, and a NaN or infinity that lies there times 0 is NaN. width 33: in the
//   second phase rows 33 to 63 of N are loaded, up to N[63 * 33 + 32], where N has 1089 elements.
// want: Let width be 33. Which rows of N does your kernel load in its second phase, and which of them exist?
#include "coarsened_matmul.h"

#define TILE 32
#define FACTOR 4

// All four tiles of N are fetched at once: two barriers a phase, as without coarsening.
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][FACTOR * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int left = blockIdx.x * FACTOR * TILE + tx;

  float sum[FACTOR] = {};

  for (int k0 = 0; k0 < width; k0 += TILE) {
    // what lies outside of M is 0, and so every product with it is 0
    Mds[ty][tx] = row < width && k0 + tx < width ? M[row * width + k0 + tx] : 0.0f;
#pragma unroll
    for (int c = 0; c < FACTOR; ++c) {
      const int col = left + c * TILE;
      Nds[ty][c * TILE + tx] = col < width ? N[(k0 + ty) * width + col] : 0.0f;
    }
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < TILE; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < FACTOR; ++c) sum[c] += m * Nds[k][c * TILE + tx];
    }
    __syncthreads();
  }

  if (row >= width) return;
#pragma unroll
  for (int c = 0; c < FACTOR; ++c) {
    if (left + c * TILE < width) P[row * width + left + c * TILE] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE, TILE);
  const dim3 grid((width + FACTOR * TILE - 1) / (FACTOR * TILE), (width + TILE - 1) / TILE);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
