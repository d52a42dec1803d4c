// SPDX-License-Identifier: Apache-2.0
// differs: tile x tile threads in a one-dimensional block; the shared array is one of bytes, aligned by hand, and is
// turned into two pointers.

#include "dynamic_tiled_matmul.h"

__global__ void flat(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ __align__(16) unsigned char memory[];
  float* const m = reinterpret_cast<float*>(memory);
  float* const n = m + blockDim.x;  // tile * tile

  const int t = threadIdx.x, ty = t / tile, tx = t - ty * tile;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  for (int first = 0; first < width; first += tile) {
    m[t] = row < width && first + tx < width ? M[row * width + first + tx] : 0.0f;
    n[t] = first + ty < width && col < width ? N[(first + ty) * width + col] : 0.0f;
    __syncthreads();
    const float* a = m + ty * tile;
    const float* b = n + tx;
    for (int k = tile; k; --k, ++a, b += tile) sum = __fmaf_rn(*a, *b, sum);
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width - 1) / tile + 1;
  const int places = tile * tile;
  flat<<<dim3(tiles, tiles), places, places * 2 * sizeof(float)>>>(M, N, P, width, tile);
}
