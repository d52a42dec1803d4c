// SPDX-License-Identifier: Apache-2.0
//
// What scan improves on: coarsened tiles, but three kernels. The first scans each tile, the second the sums
// of the tiles, and the third loads and stores every element once more.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Enough for the longest input.
__device__ int tile_sums[(1u << 31) / TILE];

// Replaces the elements of each tile by their sums within it, and stores the sum of the tile.
__global__ void scan_tiles(const int* input, int* output, int* sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int thread_sums[BLOCK_SIZE];
  const size_t first = static_cast<size_t>(blockIdx.x) * TILE;
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    tile[k] = first + k < length ? input[first + k] : 0;
  }
  __syncthreads();

  int* const mine = tile + threadIdx.x * COARSE_FACTOR;
  for (int k = 1; k < COARSE_FACTOR; ++k) mine[k] += mine[k - 1];
  int sum = mine[COARSE_FACTOR - 1];
  thread_sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? thread_sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sum += before;
    thread_sums[threadIdx.x] = sum;
    __syncthreads();
  }
  const int before_me = threadIdx.x > 0 ? thread_sums[threadIdx.x - 1] : 0;
  for (int k = 0; k < COARSE_FACTOR; ++k) mine[k] += before_me;
  __syncthreads();

  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) output[first + k] = tile[k];
  }
  if (threadIdx.x == BLOCK_SIZE - 1) sums[blockIdx.x] = sum;
}

// One block scans the sums of all tiles, BLOCK_SIZE at a time.
__global__ void scan_sums(int* sums, int tiles) {
  __shared__ int part[BLOCK_SIZE];
  int before_part = 0;
  for (int first = 0; first < tiles; first += BLOCK_SIZE) {
    const int i = first + threadIdx.x;
    int sum = i < tiles ? sums[i] : 0;
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
      const int before = threadIdx.x >= distance ? part[threadIdx.x - distance] : 0;
      __syncthreads();
      sum += before;
      part[threadIdx.x] = sum;
      __syncthreads();
    }
    if (i < tiles) sums[i] = before_part + sum;
    before_part += part[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

// Adds to each element the sum of the tiles before its own. Tile 0 has none.
__global__ void add_sums(int* output, const int* sums, int length) {
  const size_t first = static_cast<size_t>(blockIdx.x + 1) * TILE;
  const int before = sums[blockIdx.x];
  for (int k = threadIdx.x; k < TILE && first + k < length; k += BLOCK_SIZE) output[first + k] += before;
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  void* sums = nullptr;
  cudaGetSymbolAddress(&sums, tile_sums);
  const int tiles = (length - 1) / TILE + 1;
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, static_cast<int*>(sums), length);
  if (tiles == 1) return;
  scan_sums<<<1, BLOCK_SIZE>>>(static_cast<int*>(sums), tiles);
  add_sums<<<tiles - 1, BLOCK_SIZE>>>(output, static_cast<const int*>(sums), length);
}
