// SPDX-License-Identifier: Apache-2.0
// differs: places of the tiles that belong to no row of M or column of N are left as they are: only threads without an
// element of P read them.

#include "tiled_matmul.h"

constexpr int kTile = 16;

__global__ void multiply(const float* M, const float* N, float* P, int width) {
  __shared__ float of_m[kTile][kTile];
  __shared__ float of_n[kTile][kTile];

  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0.0f;

  for (int first = 0; first < width; first += kTile) {
    const int of_row = first + threadIdx.x, of_column = first + threadIdx.y;
    if (row < width) of_m[threadIdx.y][threadIdx.x] = of_row < width ? M[row * width + of_row] : 0.0f;
    if (column < width) of_n[threadIdx.y][threadIdx.x] = of_column < width ? N[of_column * width + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += of_m[threadIdx.y][k] * of_n[k][threadIdx.x];
    __syncthreads();
  }
  if (row < width && column < width) P[row * width + column] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  multiply<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(M, N, P, width);
}
