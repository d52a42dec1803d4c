// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: cudaMemset gets a number of elements, and counts bytes.

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// Scans each tile alone, and adds its sum to the offsets of all tiles after it.
__global__ void scan_tiles(const int* input, int* output, int* offsets, int length) {
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

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = t >= distance ? thread_sums[t - distance] : 0;
    __syncthreads();
    thread_sums[t] += before;
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
  for (int later = blockIdx.x + 1 + t; later < gridDim.x; later += BLOCK_SIZE) {
    atomicAdd(&offsets[later], thread_sums[BLOCK_SIZE - 1]);
  }
}

__global__ void add_offsets(int* output, const int* offsets, int length) {
  const int offset = offsets[blockIdx.x];
  const int first = blockIdx.x * TILE;
  for (int k = threadIdx.x; k < TILE && first + k < length; k += BLOCK_SIZE) {
    output[first + k] += offset;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  int* offsets = nullptr;
  cudaMalloc(&offsets, tiles * sizeof(int));
  cudaMemset(offsets, 0, tiles);
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, offsets, length);
  add_offsets<<<tiles, BLOCK_SIZE>>>(output, offsets, length);
  cudaFree(offsets);
}
