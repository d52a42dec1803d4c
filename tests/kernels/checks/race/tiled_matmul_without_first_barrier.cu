// SPDX-License-Identifier: Apache-2.0
// finding: race, other 16, object "shared array `Mds`"
// finding: race, other 17, object "shared array `Nds`"
// Tiles are read before other warps have filled them.
#include "tests/kernels/expect.h"

#define TILE 16

__global__ void matmul(const float* M, const float* N, float* P) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  Mds[ty][tx] = 0;
  Nds[ty][tx] = 0;
  __syncthreads();
  Mds[ty][tx] = M[ty * TILE + tx];
  Nds[ty][tx] = N[ty * TILE + tx];
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < TILE; ++k) sum += Mds[TILE - 1 - ty][k] * Nds[k][tx];
  P[ty * TILE + tx] = sum;
}

int main() {
  matmul<<<1, dim3(TILE, TILE)>>>(OnDevice(Eighths(256)), OnDevice(Eighths(256)), OnDevice<float>(256));
  cudaDeviceSynchronize();
  return 0;
}
