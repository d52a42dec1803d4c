// SPDX-License-Identifier: Apache-2.0
// mistake: for blocks of at most 32 threads (tile up to 5) both barriers are left out, as if the threads of a warp ran
//   in step. They need not: without a barrier (or __syncwarp) one may read a tile's place before another has
//   stored it, or overwrite it too early: a race.
// want: For tile up to 5 your threads read from shared memory what others of the same warp store. What promises that
//   those stores have happened by then?

#include "dynamic_tiled_matmul.h"

// One warp is always together, only larger blocks have to wait.
__device__ __forceinline__ void wait_for_block() {
  if (blockDim.x * blockDim.y > warpSize) {
    __syncthreads();
  }
}

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = tiles + tile * tile;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int place = ty * tile + tx;

  const float* m = M + row * width + tx;
  const float* n = N + ty * width + col;

  float sum = 0.0f;
  for (int left = width; left > 0; left -= tile) {
    Mds[place] = row < width && tx < left ? *m : 0.0f;
    Nds[place] = col < width && ty < left ? *n : 0.0f;
    wait_for_block();

    const float* a = Mds + ty * tile;
    const float* b = Nds + tx;
    for (int k = 0; k < tile; ++k) {
      sum += *a * *b;
      a += 1;
      b += tile;
    }
    wait_for_block();

    m += tile;
    n += tile * width;
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);
  const size_t bytes = 2 * sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
