// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a slip of the pen, both factors come from N's tile.
#include "dynamic_tiled_matmul.h"
__global__ void dtm(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float shared[];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0;
  float* Ms = shared;
  float* Ns = Ms + tile * tile;
  for (int p = 0; p < (width + tile - 1) / tile; ++p) {
    int c = p * tile + tx, r = p * tile + ty;
    Ms[ty * tile + tx] = row < width && c < width ? M[row * width + c] : 0;
    Ns[ty * tile + tx] = r < width && col < width ? N[r * width + col] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += Ns[ty * tile + k] * Ns[k * tile + tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}
void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  int b = (width + tile - 1) / tile;
  dtm<<<dim3(b, b), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
