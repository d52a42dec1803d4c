// SPDX-License-Identifier: Apache-2.0
// mistake: The tile of N is double-buffered, so that one barrier for each tile is enough for it; but the tile of M is a single
//   one, and is overwritten at the start of a phase while other warps may still multiply with it the last tile of the
//   phase before. A race from the second phase on, from width 33.
// want: Which warps may still be in the multiplication of the fourth tile when the first warp begins the next phase? What do
//   they read, and what does it write?
#include "coarsened_matmul.h"

namespace {

constexpr int kTile = 32;
constexpr int kCoarse = 4;
constexpr int kRows = 8;                // rows of threads
constexpr int kPer = kTile / kRows;     // rows of the tile for each thread

__device__ float element(const float* a, int r, int c, int width) {
  return r < width && c < width ? a[r * width + c] : 0.0f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[2][kTile][kTile];  // while one is read the other is filled

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile * kCoarse + tx;

  float sum[kCoarse][kPer] = {};

  const int phases = (width + kTile - 1) / kTile;
  for (int p = 0; p < phases; ++p) {
#pragma unroll
    for (int j = 0; j < kPer; ++j) {
      const int y = ty + j * kRows;
      Mds[y][tx] = element(M, row0 + y, p * kTile + tx, width);
    }

#pragma unroll
    for (int c = 0; c < kCoarse; ++c) {
      float(*n)[kTile] = Nds[c & 1];
#pragma unroll
      for (int j = 0; j < kPer; ++j) {
        const int y = ty + j * kRows;
        n[y][tx] = element(N, p * kTile + y, col0 + c * kTile, width);
      }
      __syncthreads();  // the only one: nobody fills this buffer again before the next barrier

#pragma unroll 8
      for (int k = 0; k < kTile; ++k) {
        const float b = n[k][tx];
#pragma unroll
        for (int j = 0; j < kPer; ++j) sum[c][j] += Mds[ty + j * kRows][k] * b;
      }
    }
  }

#pragma unroll
  for (int c = 0; c < kCoarse; ++c) {
#pragma unroll
    for (int j = 0; j < kPer; ++j) {
      const int row = row0 + ty + j * kRows;
      const int col = col0 + c * kTile;
      if (row < width && col < width) P[row * width + col] = sum[c][j];
    }
  }
}

}  // namespace

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  const dim3 grid((tiles + kCoarse - 1) / kCoarse, tiles);
  coarsened_matmul_kernel<<<grid, dim3(kTile, kRows)>>>(M, N, P, width);
}
