// SPDX-License-Identifier: Apache-2.0
// mistake: indices outside are clamped to the last row or column instead of loading nothing. The values are right (M's tile
//   holds zeros there, and surplus columns are not stored), but columns that do not exist are loaded again and again.
//   Width 160: the second block of a row has three tiles with no column in N, and loads 32 x 32 elements for each in each
//   phase, all from column 159: 5 x 160 x 256 loads of N where 5 x 160 x 160 are allowed.
// want: Width is 160. What does the block with blockIdx.x = 1 load from N when c is 1, 2 and 3?
#include "coarsened_matmul.h"

#define TILE 32
#define COARSE 4

__global__ void coarsened_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N,
                                        float* __restrict__ P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[2][TILE][TILE];  // two of them, then one barrier for each tile is enough

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int last = width - 1;
  const int row = blockIdx.y * TILE + ty;
  const int first_col = blockIdx.x * (TILE * COARSE) + tx;

  float sum[COARSE];
#pragma unroll
  for (int c = 0; c < COARSE; ++c) sum[c] = 0.0f;

  const int phases = (width + TILE - 1) / TILE;
  for (int p = 0; p < phases; ++p) {
    // zeros in M: then what N has in the same place is no matter
    const int m_col = p * TILE + tx;
    Mds[ty][tx] = (row < width && m_col < width) ? M[row * width + m_col] : 0.0f;

    const float* n = N + (size_t)min(p * TILE + ty, last) * width;
#pragma unroll
    for (int c = 0; c < COARSE; ++c) {
      Nds[c % 2][ty][tx] = n[min(first_col + c * TILE, last)];
      __syncthreads();
#pragma unroll 8
      for (int k = 0; k < TILE; ++k) {
        sum[c] += Mds[ty][k] * Nds[c % 2][k][tx];
      }
    }
    __syncthreads();
  }

  if (row > last) return;
#pragma unroll
  for (int c = 0; c < COARSE; ++c) {
    const int col = first_col + c * TILE;
    if (col <= last) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int rows_of_blocks = (width + TILE - 1) / TILE;
  const int blocks_in_row = (width + TILE * COARSE - 1) / (TILE * COARSE);
  coarsened_matmul_kernel<<<dim3(blocks_in_row, rows_of_blocks), dim3(TILE, TILE)>>>(M, N, P, width);
}
