// SPDX-License-Identifier: Apache-2.0
// finding: race, line 18, object "shared array `Nds`"
// finding: race, line 17, other 21, object "shared array `Mds`"
// The next phase overwrites a tile that slower warps still read. Of the other tile each warp reads only the
// rows that it writes itself, but its lanes are not in step either.
#include "tests/kernels/expect.h"

#define TILE 16

__global__ void matmul(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
#pragma unroll 1
  for (int phase = 0; phase < width / TILE; ++phase) {
    Mds[ty][tx] = M[row * width + phase * TILE + tx];
    Nds[ty][tx] = N[(phase * TILE + ty) * width + col];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][k] * Nds[k][tx];
  }
  P[row * width + col] = sum;
}

int main() {
  matmul<<<1, dim3(TILE, TILE)>>>(OnDevice(Eighths(32 * 32)), OnDevice(Eighths(32 * 32)),
                                  OnDevice<float>(32 * 32), 32);
  cudaDeviceSynchronize();
  return 0;
}
