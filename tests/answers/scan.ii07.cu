// SPDX-License-Identifier: Apache-2.0
// mistake: The first tile needs no addition, so the last kernel is launched with blocks - 1 blocks. An input of one
//   tile (length 1 to 2048) makes that a launch of 0 blocks, which is an error (invalid configuration), though
//   the output is already right by then. Length 0 is caught, length up to one tile is not.
// want: How many blocks does the launch of add_before have when length is 100? What does CUDA say to that? Check
//   cudaGetLastError().

#include "scan.h"

#define BLOCK_SIZE 256
#define ELEMENTS 8
#define TILE (BLOCK_SIZE * ELEMENTS)

__global__ void scan_tiles(const int* input, int* output, int* sums_of_tiles, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int tile_start = blockIdx.x * TILE;

  for (int e = threadIdx.x; e < TILE; e += BLOCK_SIZE) {
    tile[e] = tile_start + e < length ? input[tile_start + e] : 0;
  }
  __syncthreads();

  const int first = threadIdx.x * ELEMENTS;
  for (int e = 1; e < ELEMENTS; e++) {
    tile[first + e] += tile[first + e - 1];
  }
  sums[threadIdx.x] = tile[first + ELEMENTS - 1];
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  if (threadIdx.x > 0) {
    const int before = sums[threadIdx.x - 1];
    for (int e = 0; e < ELEMENTS; e++) {
      tile[first + e] += before;
    }
  }
  __syncthreads();

  for (int e = threadIdx.x; e < TILE; e += BLOCK_SIZE) {
    if (tile_start + e < length) {
      output[tile_start + e] = tile[e];
    }
  }
  if (threadIdx.x == 0) {
    sums_of_tiles[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

// Block b adds the sum of tiles 0 to b to tile b + 1. Thread 0 walks over the sums, one load per warp is cheap.
__global__ void scan_sums(int* sums_of_tiles, int tiles) {
  int sum = 0;
  for (int i = 0; i < tiles; i++) {
    sum += sums_of_tiles[i];
    sums_of_tiles[i] = sum;
  }
}

__global__ void add_before(int* output, const int* sums_of_tiles, int length) {
  const int tile_start = (blockIdx.x + 1) * TILE;  // tile 0 is ready
  for (int e = threadIdx.x; e < TILE; e += BLOCK_SIZE) {
    if (tile_start + e < length) {
      output[tile_start + e] += sums_of_tiles[blockIdx.x];
    }
  }
}

void scan(const int* input, int* output, int length) {
  // a launch of 0 blocks is an error
  if (length == 0) {
    return;
  }
  const int blocks = (length + TILE - 1) / TILE;
  int* sums_of_tiles;
  cudaMalloc(&sums_of_tiles, sizeof(int) * blocks);
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, sums_of_tiles, length);
  scan_sums<<<1, 1>>>(sums_of_tiles, blocks);
  add_before<<<blocks - 1, BLOCK_SIZE>>>(output, sums_of_tiles, length);
  cudaFree(sums_of_tiles);
}
