// SPDX-License-Identifier: Apache-2.0
// mistake: The values are right for every length, but a thread adds up only 2 elements. A block of 8 warps waits at
//   19 barriers for a tile of 512 elements: 152 arrivals, where length / 8 allows 64. The limit on barriers is
//   missed for every long input.
// want: Count: how many barriers does one block pass, how many warps arrive at each, and how many elements does the
//   block scan? What does one more element per thread cost, and what does it save?

#include "scan.h"

#define BLOCK_SIZE 256

__global__ void scan_pairs(const int* input, int* output, int* block_sums, int length) {
  __shared__ int pairs[2 * BLOCK_SIZE];
  __shared__ int sums[BLOCK_SIZE];
  const int a = blockIdx.x * 2 * BLOCK_SIZE + threadIdx.x;
  const int b = a + BLOCK_SIZE;

  pairs[threadIdx.x] = a < length ? input[a] : 0;
  pairs[threadIdx.x + BLOCK_SIZE] = b < length ? input[b] : 0;
  __syncthreads();

  // each thread takes a pair of neighbours: the block needs half as many threads now
  const int left = pairs[2 * threadIdx.x];
  const int both = left + pairs[2 * threadIdx.x + 1];
  sums[threadIdx.x] = both;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  const int before = sums[threadIdx.x] - both;
  pairs[2 * threadIdx.x] = before + left;
  pairs[2 * threadIdx.x + 1] = before + both;
  __syncthreads();

  if (a < length) {
    output[a] = pairs[threadIdx.x];
  }
  if (b < length) {
    output[b] = pairs[threadIdx.x + BLOCK_SIZE];
  }
  if (threadIdx.x == BLOCK_SIZE - 1) {
    block_sums[blockIdx.x] = sums[threadIdx.x];
  }
}

// Makes of each block's sum the sum of all blocks before it.
__global__ void scan_block_sums(int* block_sums, int blocks) {
  int sum = 0;
  for (int b = 0; b < blocks; b++) {
    const int old = block_sums[b];
    block_sums[b] = sum;
    sum += old;
  }
}

__global__ void add_block_sums(int* output, const int* block_sums, int length) {
  const int i = blockIdx.x * 2 * BLOCK_SIZE + threadIdx.x;
  if (i < length) {
    output[i] += block_sums[blockIdx.x];
  }
  if (i + BLOCK_SIZE < length) {
    output[i + BLOCK_SIZE] += block_sums[blockIdx.x];
  }
}

void scan(const int* input, int* output, int length) {
  const int blocks = (length + 2 * BLOCK_SIZE - 1) / (2 * BLOCK_SIZE);
  if (blocks > 0) {
    int* block_sums;
    cudaMalloc(&block_sums, blocks * sizeof(int));
    scan_pairs<<<blocks, BLOCK_SIZE>>>(input, output, block_sums, length);
    scan_block_sums<<<1, 1>>>(block_sums, blocks);
    add_block_sums<<<blocks, BLOCK_SIZE>>>(output, block_sums, length);
    cudaFree(block_sums);
  }
}
