// SPDX-License-Identifier: Apache-2.0
// differs: clumsy. Every block of the second kernel adds up the sums of all tiles before its own, with
// atomic additions in shared memory, and the thread sums are scanned by a tree up and down.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans each tile alone. sums[b] becomes the sum of tile b.
__global__ void scan_tiles(const int* input, int* output, int* sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int thread_sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int first = blockIdx.x * TILE;
  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    tile[k] = first + k < length ? input[first + k] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = t * COARSE_FACTOR; k < (t + 1) * COARSE_FACTOR; ++k) {
    sum += tile[k];
    tile[k] = sum;
  }
  thread_sums[t] = sum;
  __syncthreads();

  // Up: every second sum, every fourth, ... becomes the sum of a whole subtree.
  for (int stride = 1; stride < BLOCK_SIZE; stride *= 2) {
    const int i = (t + 1) * stride * 2 - 1;
    if (i < BLOCK_SIZE) {
      thread_sums[i] += thread_sums[i - stride];
    }
    __syncthreads();
  }
  // Down: what lies between gets the sum of the subtree before.
  for (int stride = BLOCK_SIZE / 4; stride > 0; stride /= 2) {
    const int i = (t + 1) * stride * 2 - 1;
    if (i + stride < BLOCK_SIZE) {
      thread_sums[i + stride] += thread_sums[i];
    }
    __syncthreads();
  }

  const int before_me = t > 0 ? thread_sums[t - 1] : 0;
  for (int k = t * COARSE_FACTOR; k < (t + 1) * COARSE_FACTOR; ++k) {
    tile[k] += before_me;
  }
  __syncthreads();

  for (int k = t; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) {
      output[first + k] = tile[k];
    }
  }
  if (t == BLOCK_SIZE - 1) {
    sums[blockIdx.x] = thread_sums[t];
  }
}

// Adds to each tile but the first the sum of all tiles before it.
__global__ void add_tiles_before(int* output, const int* sums, int length) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    before = 0;
  }
  __syncthreads();
  for (int b = threadIdx.x; b <= blockIdx.x; b += BLOCK_SIZE) {
    atomicAdd(&before, sums[b]);
  }
  __syncthreads();
  const int first = (blockIdx.x + 1) * TILE;
  for (int k = threadIdx.x; k < TILE && first + k < length; k += BLOCK_SIZE) {
    output[first + k] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* sums = nullptr;
  cudaMalloc(&sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, sums, length);
  if (tiles > 1) {
    add_tiles_before<<<tiles - 1, BLOCK_SIZE>>>(output, sums, length);
  }
  cudaFree(sums);
}
