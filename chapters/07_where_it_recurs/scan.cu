// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs. Each block of the kernel below scans its own elements, one per thread,
// and waits at two barriers in each step. Let each thread add up several neighbouring elements on its
// own, then let the blocks combine their sums. Four places are marked TODO.
//
//   ./warplings check scan

#include "scan.h"

#define BLOCK_SIZE 256

// Scans the elements of each block. Element i of the block's tile becomes the sum of elements 0 to i.
__global__ void scan_tiles(const int* input, int* output, int length) {
  __shared__ int sums[BLOCK_SIZE];
  // TODO 1: a tile with several elements per thread. Warps should load neighbouring elements, but each thread
  // should add up several elements in a row: which memory lets you change from one order to the other?
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  sums[threadIdx.x] = i < length ? input[i] : 0;
  __syncthreads();

  // TODO 2: only the sums of the threads need these steps. What does a thread then add to its elements?
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  // TODO 3: each block must also add the sum of all tiles before its own. How does it learn that sum?
  if (i < length) {
    output[i] = sums[threadIdx.x];
  }
}

void scan(const int* input, int* output, int length) {
  // TODO 4: a launch of 0 blocks is an error: when would that happen? Do you need more than one kernel?
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, length);
}
