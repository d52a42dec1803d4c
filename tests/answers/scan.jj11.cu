// SPDX-License-Identifier: Apache-2.0
// mistake: The totals of the tiles are never scanned: every tile adds the total of the one tile before it, not of all
//   tiles before it. The student stopped there. Up to 4096 elements (two tiles) it is right, then all is too small
//   by the totals of the first tiles.
// want: What must be added to the elements of tile 2? Which number do you add? Test three tiles of ones.

#include "scan.h"

#define BLOCK_SIZE 256
#define ELEMENTS 8

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[BLOCK_SIZE * ELEMENTS];
  __shared__ int sums[BLOCK_SIZE];
  const int start = blockIdx.x * BLOCK_SIZE * ELEMENTS;
  // TODO 1: done
  for (int e = 0; e < ELEMENTS; ++e) {
    const int i = e * BLOCK_SIZE + threadIdx.x;
    tile[i] = start + i < length ? input[start + i] : 0;
  }
  __syncthreads();
  int own = 0;
  for (int e = 0; e < ELEMENTS; ++e) {
    own += tile[threadIdx.x * ELEMENTS + e];
  }
  sums[threadIdx.x] = own;
  __syncthreads();

  // TODO 2: done
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  int sum = threadIdx.x > 0 ? sums[threadIdx.x - 1] : 0;
  for (int e = 0; e < ELEMENTS; ++e) {
    sum += tile[threadIdx.x * ELEMENTS + e];
    tile[threadIdx.x * ELEMENTS + e] = sum;
  }
  __syncthreads();

  for (int e = 0; e < ELEMENTS; ++e) {
    const int i = e * BLOCK_SIZE + threadIdx.x;
    if (start + i < length) {
      output[start + i] = tile[i];
    }
  }
  // The last thread knows the sum of the tile.
  if (threadIdx.x == BLOCK_SIZE - 1) {
    totals[blockIdx.x] = sum;
  }
}

// TODO 3: the blocks cannot wait for each other, so a second kernel. Every tile takes the total of the tile before.
__global__ void add_totals(int* output, const int* totals, int length) {
  if (blockIdx.x == 0) {
    return;
  }
  const int total = totals[blockIdx.x - 1];
  const int start = blockIdx.x * BLOCK_SIZE * ELEMENTS;
  for (int e = 0; e < ELEMENTS; ++e) {
    const int i = start + e * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += total;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int tile = BLOCK_SIZE * ELEMENTS;
  const int blocks = (length + tile - 1) / tile;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  add_totals<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
