// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; hang
// Right, and each call ends within its own limit: kernels for nothing take the time of all of them up.

#include "tiled_matmul.h"

#define TILE 16

__global__ void busy(int* out, int x) {
#pragma unroll 1
  for (int round = 0; round < 500; ++round) x = (x ^ round) * 3 + (x >> 3);
  if (x == 12345) *out = x;
}

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE], Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int first = 0; first < width; first += TILE) {
    Mds[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    Nds[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  busy<<<200000, 32>>>(nullptr, width);
  const int tiles = (width + TILE - 1) / TILE;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(M, N, P, width);
}
