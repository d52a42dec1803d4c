// SPDX-License-Identifier: Apache-2.0
// mistake: There is no barrier between a phase's inner products and the next phase's stores into the tiles. A warp that
//   is ahead overwrites elements that another warp still has to read. With tile = 16 and width = 32 a block has 8 warps
//   and 2 phases: warp 0 may store phase 1's rows 0 and 1 of N's tile while warp 7 still needs those of phase 0.
//   Fetching the next elements early into registers is right.
// want: Two warps of one block, the first quick, the second slow. What does the quick one do after its last product, and
//   what may the slow one be doing then?
#include "dynamic_tiled_matmul.h"

__device__ inline float at(const float* A, int r, int c, int width) {
  return r < width && c < width ? A[r * width + c] : 0.0f;
}

__global__ void prefetching(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width,
                            int tile) {
  extern __shared__ float both[];
  float* const left = both;
  float* const right = both + tile * tile;

  const int here = threadIdx.y * tile + threadIdx.x;
  const int row = blockIdx.y * tile + threadIdx.y;
  const int col = blockIdx.x * tile + threadIdx.x;
  const int phases = (width + tile - 1) / tile;

  // the first elements, already under way
  float next_m = at(M, row, threadIdx.x, width);
  float next_n = at(N, threadIdx.y, col, width);

  float sum = 0.0f;
  for (int p = 1; p <= phases; ++p) {
    left[here] = next_m;
    right[here] = next_n;
    __syncthreads();

    // The registers are free again: fetch for the next phase while we compute this one.
    if (p < phases) {
      next_m = at(M, row, p * tile + threadIdx.x, width);
      next_n = at(N, p * tile + threadIdx.y, col, width);
    }
    for (int k = 0; k < tile; ++k) {
      sum += left[threadIdx.y * tile + k] * right[k * tile + threadIdx.x];
    }
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const unsigned tiles = (width + tile - 1) / tile;
  prefetching<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
