// SPDX-License-Identifier: Apache-2.0
// mistake: A block computes two tiles of P, one after the other, and sum is not set back to 0 between them. With
//   width = 17, P[0][16] is the right value plus P[0][0]. Up to width 16 the second tile has no element, and all is
//   right; the columns of every other tile are right for any width.
// want: Compare P[0][0] and P[0][16] with the right values, for width 32 and matrices full of ones. What is the second
//   one made of?
#include "tiled_matmul.h"

constexpr int kTile = 16;
constexpr int kStrips = 2;  // tiles of P for each block, side by side

struct Matrix {
  const float* data;
  int width;
  __device__ float operator()(int r, int c) const {
    return r < width && c < width ? data[r * width + c] : 0.0f;
  }
};

__global__ void two_tiles(Matrix M, Matrix N, float* P) {
  __shared__ float a[kTile][kTile];
  __shared__ float b[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int width = M.width;
  const int row = blockIdx.y * kTile + ty;

  float sum = 0.0f;
  for (int strip = 0; strip < kStrips; ++strip) {
    const int col = (blockIdx.x * kStrips + strip) * kTile + tx;

    for (int base = 0; base < width; base += kTile) {
      a[ty][tx] = M(row, base + tx);
      b[ty][tx] = N(base + ty, col);
      __syncthreads();
      for (int k = 0; k < kTile; ++k) sum += a[ty][k] * b[k][tx];
      __syncthreads();
    }

    if (row < width && col < width) P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  const dim3 grid((tiles + kStrips - 1) / kStrips, tiles);
  two_tiles<<<grid, dim3(kTile, kTile)>>>(Matrix{M, width}, Matrix{N, width}, P);
}
