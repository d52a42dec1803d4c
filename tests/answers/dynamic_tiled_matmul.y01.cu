// SPDX-License-Identifier: Apache-2.0
// mistake: A block counts as a single warp where tile * tile / 32 is not above 1, but the division rounds down: tile 6
//   (36 threads) and tile 7 (49) make two warps, and __syncwarp does not make one wait for the other. Case: tile 6,
//   width 6: warp 0 reads row 5 of Nds, whose columns 2 to 5 warp 1 may not have stored yet. Other tiles are right
//   (up to 5 one warp is true).
// want: How many threads and how many warps has a block for tile = 6, and which barrier does it take?
#include "dynamic_tiled_matmul.h"

__device__ __forceinline__ void wait(bool many_warps) {
  if (many_warps) {
    __syncthreads();
  } else {
    __syncwarp();  // one warp needs no barrier of the block
  }
}

__global__ void dyn_matmul(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float s[];
  float* const Mds = s;
  float* const Nds = Mds + tile * tile;

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int me = ty * tile + tx;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const bool many_warps = tile * tile / 32 > 1;

  float sum = 0.0f;
  for (int k0 = 0; k0 < width; k0 += tile) {
    Mds[me] = (row < width && k0 + tx < width) ? M[row * width + k0 + tx] : 0.0f;
    Nds[me] = (k0 + ty < width && col < width) ? N[(k0 + ty) * width + col] : 0.0f;
    wait(many_warps);

    const float* m = Mds + ty * tile;
    const float* n = Nds + tx;
    for (int k = 0; k < tile; ++k) sum += m[k] * n[k * tile];
    wait(many_warps);
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  dyn_matmul<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
