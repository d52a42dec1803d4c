// SPDX-License-Identifier: Apache-2.0
// mistake: takes a block with tile < 32 for a single warp and calls __syncwarp() there instead of __syncthreads(), at both
//   places; a block has tile * tile threads, several warps from tile 6 on, and they do not wait for each other.
// want: How many threads has a block with tile = 16, and how many warps are that?
#include "dynamic_tiled_matmul.h"

// The cheaper barrier does where the block fits into a warp.
__device__ __forceinline__ void barrier(int tile) {
  if (tile < warpSize) {
    __syncwarp();
  } else {
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
  const int phases = (width + tile - 1) / tile;
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[place] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[place] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    barrier(tile);

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * tile + k] * Nds[k * tile + tx];
    }
    barrier(tile);
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);

  const size_t bytes = 2 * tile * tile * sizeof(float);
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
