// SPDX-License-Identifier: Apache-2.0
// mistake: (cost) Still one element per thread, only in blocks of 512 now: each warp waits at 19 barriers for its 32
//   elements, about 0.6 arrivals per element, where length / 8 are allowed. (Instructions are too many or close to the
//   limit for the same reason.) The values are right. Shows for every long input.
// want: How many barriers does a warp of yours wait at, and for how many elements? What changes if each thread first
//   adds up 8 neighbours alone, and only the sums of the threads go through the steps?

#include "scan.h"

#define BLOCK_SIZE 512

// Scans the elements of each block, and keeps the sum of the block.
__global__ void scan_tiles(const int* input, int* output, int* block_sums, int length) {
  __shared__ int sums[BLOCK_SIZE];
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  sums[threadIdx.x] = i < length ? input[i] : 0;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  if (i < length) {
    output[i] = sums[threadIdx.x];
  }
  if (threadIdx.x == BLOCK_SIZE - 1) {
    block_sums[blockIdx.x] = sums[threadIdx.x];
  }
}

// Adds the sum of all blocks before.
__global__ void add_sums(int* output, const int* block_sums, int length) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (blockIdx.x > 0 && i < length) {
    output[i] += block_sums[blockIdx.x - 1];
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;

  int* block_sums;
  cudaMalloc(&block_sums, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, block_sums, length);
  if (blocks > 1) {
    scan(block_sums, block_sums, blocks);  // the sums are scanned the same way
    add_sums<<<blocks, BLOCK_SIZE>>>(output, block_sums, length);
  }
  cudaFree(block_sums);
}
