// SPDX-License-Identifier: Apache-2.0
// clean
// With both barriers.
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
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  P[row * width + col] = sum;
}

int main() {
  matmul<<<dim3(2, 2), dim3(TILE, TILE)>>>(OnDevice(Eighths(32 * 32)), OnDevice(Eighths(32 * 32)),
                                           OnDevice<float>(32 * 32), 32);
  FINISH();
  return 0;
}
