// SPDX-License-Identifier: Apache-2.0
// mistake: each thread computes 2 x 2 elements, 16 apart; the lower two are stored under the check of the row alone:
//   col and col + 16 are not checked there. width = 17: thread tx = 1, ty = 0 of block (0, 0) stores
//   P[16 * 17 + 17], one past the end; width = 40: the lower rows run into the start of the next rows.
//   Loads, tiles and barriers are right.
// want: take width 17 and the thread tx = 1, ty = 0: which four elements does it store, and does P have each of them?
#include "tiled_matmul.h"

constexpr int HALF = 16;
constexpr int FULL = 2 * HALF;

// a block of 16 x 16 threads makes 32 x 32 elements of P, every thread four
__global__ void tiled2x2(const float* M, const float* N, float* P, int width) {
  __shared__ float a[FULL][HALF];
  __shared__ float b[HALF][FULL];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * FULL + ty;
  const int col = blockIdx.x * FULL + tx;

  auto get = [width](const float* A, int r, int c) { return r < width && c < width ? A[r * width + c] : 0.0f; };

  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int at = 0; at < width; at += HALF) {
    a[ty][tx] = get(M, row, at + tx);
    a[ty + HALF][tx] = get(M, row + HALF, at + tx);
    b[ty][tx] = get(N, at + ty, col);
    b[ty][tx + HALF] = get(N, at + ty, col + HALF);
    __syncthreads();
    for (int k = 0; k < HALF; ++k) {
      const float a0 = a[ty][k], a1 = a[ty + HALF][k];
      const float b0 = b[k][tx], b1 = b[k][tx + HALF];
      s00 += a0 * b0;
      s01 += a0 * b1;
      s10 += a1 * b0;
      s11 += a1 * b1;
    }
    __syncthreads();
  }

  // upper pair
  if (row < width) {
    if (col < width) P[row * width + col] = s00;
    if (col + HALF < width) P[row * width + col + HALF] = s01;
  }
  // lower pair
  if (row + HALF < width) {
    P[(row + HALF) * width + col] = s10;
    P[(row + HALF) * width + col + HALF] = s11;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + FULL - 1) / FULL;
  tiled2x2<<<dim3(tiles, tiles), dim3(HALF, HALF)>>>(M, N, P, width);
}
