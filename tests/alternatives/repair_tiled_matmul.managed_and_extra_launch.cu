// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: a first launch clears P (a grid-stride kernel), the second adds each phase's part to P in
// device memory instead of a register; a __managed__ counter is counted up for nothing; the host waits in between.

#include "repair_tiled_matmul.h"

#define W 16

__managed__ int calls = 0;

__global__ void clear(float* P, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) P[i] = 0.0f;
}

__global__ void add_phases(const float* M, const float* N, float* P, int width) {
  __shared__ float m[W][W], n[W][W];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * W + ty, col = blockIdx.x * W + tx;
  const bool mine = row < width && col < width;
  for (int first = 0; first < width; first += W) {
    m[ty][tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    n[ty][tx] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int k = 0; k < W; ++k) part += m[ty][k] * n[k][tx];
    if (mine) P[row * width + col] += part;
    __syncthreads();
  }
}

void repair_tiled_matmul(const float* M, const float* N, float* P, int width) {
  clear<<<3, 100>>>(P, width * width);
  cudaDeviceSynchronize();
  ++calls;
  const int tiles = (width + W - 1) / W;
  add_phases<<<dim3(tiles, tiles), dim3(W, W)>>>(M, N, P, width);
}
