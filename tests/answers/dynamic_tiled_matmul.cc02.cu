// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but the number of phases lies in a __shared__ int of fixed size, and the kernel may have
//   no shared memory besides the two tiles: 4 bytes for every width and tile.
// want: list all that your kernel keeps in shared memory. Which of it does the launch's third argument pay for?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float both[];
  __shared__ int phases;

  const int size = tile * tile;
  const int me = threadIdx.y * tile + threadIdx.x;  // my place in either tile

  // a division is slow: one thread does it for all
  if (me == 0) phases = (width + tile - 1) / tile;
  __syncthreads();

  const int row = blockIdx.y * tile + threadIdx.y;
  const int col = blockIdx.x * tile + threadIdx.x;

  float sum = 0.0f;
  for (int p = phases - 1; p >= 0; --p) {  // from the last tile to the first, the order does not matter
    const int mc = p * tile + threadIdx.x;
    const int nr = p * tile + threadIdx.y;
    both[me] = row < width && mc < width ? M[row * width + mc] : 0.0f;
    both[size + me] = nr < width && col < width ? N[nr * width + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      sum += both[threadIdx.y * tile + k] * both[size + k * tile + threadIdx.x];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);
  const size_t bytes = 8 * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
