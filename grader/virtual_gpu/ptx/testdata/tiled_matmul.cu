// SPDX-License-Identifier: Apache-2.0
#define TILE 16
__global__ void tiled_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float v = 0;
  for (int ph = 0; ph < (width + TILE - 1) / TILE; ++ph) {
    Mds[ty][tx] = (row < width && ph * TILE + tx < width) ? M[row * width + ph * TILE + tx] : 0.f;
    Nds[ty][tx] = (col < width && ph * TILE + ty < width) ? N[(ph * TILE + ty) * width + col] : 0.f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) v += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = v;
}
