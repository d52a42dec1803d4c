// SPDX-License-Identifier: Apache-2.0
// mistake: beyond the last column M is read at its last column again, in the belief that the zeros of N make
//   these products vanish. With M[r][width - 1] infinite they are infinity x 0 = NaN: width 33, M[0][32] infinite
//   and N all ones give NaN for P's row 0 instead of infinity. Right for finite M, and where width is a multiple
//   of 32. The repeated last row is harmless, since its sums are never stored.
// want: Your tile of M holds the last column several times, and N zeros against it. Which values of M does a zero
//   not make vanish?
#include "coarsened_matmul.h"

#define TILE 32
#define COARSE 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[TILE][TILE];
  __shared__ float Ns[COARSE][TILE][TILE];  // all four tiles at once: two barriers a phase

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col0 = blockIdx.x * TILE * COARSE + tx;

  float sum[COARSE] = {};

  for (int start = 0; start < width; start += TILE) {
    // clamped, so that there is no branch; N has zeros there
    Ms[ty][tx] = M[min(row, width - 1) * width + min(start + tx, width - 1)];
#pragma unroll
    for (int c = 0; c < COARSE; ++c) {
      const int col = col0 + c * TILE;
      Ns[c][ty][tx] = (start + ty < width && col < width) ? N[(start + ty) * width + col] : 0.0f;
    }
    __syncthreads();

#pragma unroll 8
    for (int k = 0; k < TILE; ++k) {
      const float m = Ms[ty][k];
#pragma unroll
      for (int c = 0; c < COARSE; ++c) sum[c] += m * Ns[c][k][tx];
    }
    __syncthreads();
  }

#pragma unroll
  for (int c = 0; c < COARSE; ++c) {
    const int col = col0 + c * TILE;
    if (row < width && col < width) P[row * width + col] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const auto blocks = [width](int span) { return (width + span - 1) / span; };
  coarsened_matmul_kernel<<<dim3(blocks(TILE * COARSE), blocks(TILE)), dim3(TILE, TILE)>>>(M, N, P, width);
}
