// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory, with boundary checks.
#include "tests/kernels/matmul/matrices.h"

#define TILE 16

__global__ void matmul(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int phase = 0; phase < (width + TILE - 1) / TILE; ++phase) {
    Mds[ty][tx] = row < width && phase * TILE + tx < width ? M[row * width + phase * TILE + tx] : 0.0f;
    Nds[ty][tx] = phase * TILE + ty < width && col < width ? N[(phase * TILE + ty) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

int main() {
  for (int width : {16, 33, 80})
    TestProduct(width, width, width, [](const float* M, const float* N, float* P, int width, int, int) {
      matmul<<<dim3((width + TILE - 1) / TILE, (width + TILE - 1) / TILE), dim3(TILE, TILE)>>>(M, N, P,
                                                                                               width);
    });
  return Result();
}
