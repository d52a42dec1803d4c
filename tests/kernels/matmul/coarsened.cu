// SPDX-License-Identifier: Apache-2.0
// Each thread computes COARSE elements of a row of tiles.
#include "tests/kernels/matmul/matrices.h"

#define TILE 16
#define COARSE 4

__global__ void matmul(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, first_col = blockIdx.x * TILE * COARSE + tx;
  float sums[COARSE];
  for (int c = 0; c < COARSE; ++c) sums[c] = 0.0f;
  for (int phase = 0; phase < (width + TILE - 1) / TILE; ++phase) {
    Mds[ty][tx] = row < width && phase * TILE + tx < width ? M[row * width + phase * TILE + tx] : 0.0f;
    for (int c = 0; c < COARSE; ++c) {
      const int col = first_col + c * TILE;
      Nds[ty][tx] = phase * TILE + ty < width && col < width ? N[(phase * TILE + ty) * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; ++k) sums[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < COARSE; ++c) {
    const int col = first_col + c * TILE;
    if (row < width && col < width) P[row * width + col] = sums[c];
  }
}

int main() {
  for (int width : {64, 75})
    TestProduct(width, width, width, [](const float* M, const float* N, float* P, int width, int, int) {
      const int columns = TILE * COARSE;
      matmul<<<dim3((width + columns - 1) / columns, (width + TILE - 1) / TILE), dim3(TILE, TILE)>>>(M, N, P,
                                                                                                     width);
    });
  return Result();
}
