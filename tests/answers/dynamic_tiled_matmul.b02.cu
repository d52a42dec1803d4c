// SPDX-License-Identifier: Apache-2.0
// mistake: threads without an element of P `continue` before the second barrier: in edge blocks only a part of
//   the threads reaches it, and the idle ones run ahead and overwrite tiles that the others still read.
// want: which __syncthreads() do the threads with col >= width execute in a phase, and which do the others?
//   Every thread of the block has to come to the same barriers.
#include "dynamic_tiled_matmul.h"

__device__ void fetch(float* tile_data, const float* A, int first_row, int first_col, int width, int tile) {
  const int r = first_row + threadIdx.y;
  const int c = first_col + threadIdx.x;
  tile_data[threadIdx.y * tile + threadIdx.x] = r < width && c < width ? A[r * width + c] : 0.0f;
}

// P = M x N, all width x width. A block of tile x tile threads computes one tile of P, in phases.
__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = Mds + tile * tile;

  const int row = blockIdx.y * tile + threadIdx.y;
  const int col = blockIdx.x * tile + threadIdx.x;
  const bool mine = row < width && col < width;

  float sum = 0.0f;
  for (int start = 0; start < width; start += tile) {
    fetch(Mds, M, blockIdx.y * tile, start, width, tile);
    fetch(Nds, N, start, blockIdx.x * tile, width, tile);
    __syncthreads();

    if (!mine) continue;  // this thread only had to load
    const float* m = Mds + threadIdx.y * tile;
    const float* n = Nds + threadIdx.x;
    for (int k = 0; k < tile; ++k) {
      sum += m[k] * n[k * tile];
    }
    __syncthreads();
  }

  if (mine) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const size_t bytes = 2 * sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(tile, tile), bytes>>>(M, N, P, width, tile);
}
