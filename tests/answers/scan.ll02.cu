// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) Each thread loads and stores its 8 neighbours directly in global memory. In each step, the threads of
//   a warp are 32 bytes apart, so a load or store of 32 ints touches 32 sectors: 32 per 32 elements for loads and for
//   stores (and 4 more of each for the second pass), where 20 are allowed. The values are right. Shows for every long
//   input.
// want: Which addresses do threads 0 to 31 load in the step k = 0? How many sectors are these? Through which memory can
//   a warp load neighbours, although each thread then adds up its own?

#include "scan.h"

#define BLOCK_SIZE 256
#define PER_THREAD 8
#define TILE (BLOCK_SIZE * PER_THREAD)

__global__ void scan_tiles(const int* input, int* output, int* tile_sums, int length) {
  __shared__ int sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int first = blockIdx.x * TILE + t * PER_THREAD;  // my first element

  // my own elements stay in registers
  int mine[PER_THREAD];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    if (first + k < length) {
      sum += input[first + k];
    }
    mine[k] = sum;
  }

  sums[t] = sum;
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }

  const int offset = t > 0 ? sums[t - 1] : 0;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    if (first + k < length) {
      output[first + k] = mine[k] + offset;
    }
  }
  if (t == 0) {
    tile_sums[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void add_tile_sums(int* output, const int* tile_sums, int length) {
  if (blockIdx.x == 0) return;
  const int offset = tile_sums[blockIdx.x - 1];
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    const int i = blockIdx.x * TILE + k;
    if (i < length) {
      output[i] += offset;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;

  int* tile_sums;
  cudaMalloc(&tile_sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, tile_sums, length);
  if (tiles > 1) {
    scan(tile_sums, tile_sums, tiles);
    add_tile_sums<<<tiles, BLOCK_SIZE>>>(output, tile_sums, length);
  }
  cudaFree(tile_sums);
}
