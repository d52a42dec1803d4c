// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: no barrier at the end of a phase, with tiles of 8, so that a width of 15 has two phases.
#include "tiled_matmul.h"
#define TILE 8
__global__ void kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[TILE][TILE];
  __shared__ float Ns[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.f;
  for (int p = 0; p < (width + TILE - 1) / TILE; ++p) {
    int c = p * TILE + tx, r = p * TILE + ty;
    Ms[ty][tx] = row < width && c < width ? M[row * width + c] : 0.f;
    Ns[ty][tx] = r < width && col < width ? N[r * width + col] : 0.f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += Ms[ty][k] * Ns[k][tx];
  }
  if (row < width && col < width) P[row * width + col] = sum;
}
void tiled_matmul(const float* M, const float* N, float* P, int width) {
  dim3 block(TILE, TILE), grid((width + TILE - 1) / TILE, (width + TILE - 1) / TILE);
  kernel<<<grid, block>>>(M, N, P, width);
}
