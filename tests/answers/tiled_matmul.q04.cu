// SPDX-License-Identifier: Apache-2.0
// mistake: where 16 does not divide width, the kernel stores into a matrix of its own, made of whole tiles, and
//   cudaMemcpy2D brings the part that counts to P; but kernels have to store every element of P, no copy may. width = 17:
//   the kernel stores 32 x 32 elements elsewhere and none of P. The values are right; where 16 divides width so is all.
// want: width = 17: which call writes P[0]? Compare with what the contract says about who may.
#include "tiled_matmul.h"

constexpr int kWide = 16;

// Q has rows of `pitch` elements, and as many rows as the grid has threads from top to bottom: no check at the end.
__global__ void whole_tiles(const float* M, const float* N, float* Q, int width, int pitch) {
  __shared__ float m[kWide][kWide], n[kWide][kWide];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kWide + y, col = blockIdx.x * kWide + x;

  float sum = 0.0f;
  for (int i = 0; i < pitch; i += kWide) {
    m[y][x] = row < width && i + x < width ? M[row * width + i + x] : 0.0f;
    n[y][x] = i + y < width && col < width ? N[(i + y) * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kWide; ++k) sum += m[y][k] * n[k][x];
    __syncthreads();
  }
  Q[row * pitch + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kWide - 1) / kWide;
  const int pitch = tiles * kWide;
  const dim3 grid(tiles, tiles), block(kWide, kWide);

  if (pitch == width) {
    whole_tiles<<<grid, block>>>(M, N, P, width, width);
    return;
  }

  float* Q = nullptr;
  cudaMalloc(&Q, sizeof(float) * pitch * pitch);
  whole_tiles<<<grid, block>>>(M, N, Q, width, pitch);
  // Cut P out of it.
  cudaMemcpy2D(P, width * sizeof(float), Q, pitch * sizeof(float), width * sizeof(float), width, cudaMemcpyDeviceToDevice);
  cudaFree(Q);
}
