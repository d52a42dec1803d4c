// SPDX-License-Identifier: Apache-2.0
// mistake: pads each row of both tiles by one float against bank conflicts, and so passes 8 * tile * (tile + 1) bytes;
//   the contract wants exactly 8 * tile * tile. The values are right.
// want: The contract says how many bytes the launch passes: exactly those of two tiles of tile x tile floats. What are
//   your rows of tile + 1 for, when the contract has no room for them?
#include "dynamic_tiled_matmul.h"

__global__ void dyn_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float buf[];

  const int pitch = tile + 1;  // no bank conflicts
  float* a = buf;
  float* b = buf + tile * pitch;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float acc = 0.0f;
  for (int first = 0; first < width; first += tile) {
    const int mc = first + tx;
    const int nr = first + ty;
    a[ty * pitch + tx] = (row < width && mc < width) ? M[row * width + mc] : 0.0f;
    b[ty * pitch + tx] = (nr < width && col < width) ? N[nr * width + col] : 0.0f;
    __syncthreads();

    const float* ap = a + ty * pitch;
    const float* bp = b + tx;
    for (int i = 0; i < tile; ++i, ++ap, bp += pitch) acc += *ap * *bp;
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = acc;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const size_t shared = 2 * sizeof(float) * tile * (tile + 1);
  dyn_kernel<<<dim3(tiles, tiles), dim3(tile, tile), shared>>>(M, N, P, width, tile);
}
