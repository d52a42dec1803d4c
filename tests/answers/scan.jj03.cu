// SPDX-License-Identifier: Apache-2.0
// mistake: Only 4 elements per thread. A warp waits at 19 barriers (one after the load, one after the thread sums, 16 in
//   the eight steps, one before the store) for 128 elements: length / 6.7 arrivals, and length / 8 are allowed.
//   Values, sectors and instructions are fine; every long input shows it.
// want: How many barriers does a warp of yours pass, and for how many elements? Which of the two numbers is easiest to
//   change?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 4
#define TILE (BLOCK_SIZE * COARSE)

__device__ void scan_sums(int* sums) {
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int start = blockIdx.x * TILE;

  for (int k = 0; k < COARSE; ++k) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int* mine = tile + threadIdx.x * COARSE;
  for (int k = 1; k < COARSE; ++k) {
    mine[k] += mine[k - 1];
  }
  sums[threadIdx.x] = mine[COARSE - 1];
  __syncthreads();
  scan_sums(sums);

  if (threadIdx.x > 0) {
    const int before = sums[threadIdx.x - 1];
    for (int k = 0; k < COARSE; ++k) {
      mine[k] += before;
    }
  }
  __syncthreads();

  for (int k = 0; k < COARSE; ++k) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    if (start + j < length) output[start + j] = tile[j];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
}

__global__ void scan_totals(int* totals, int count) {
  __shared__ int sums[BLOCK_SIZE];
  int carry = 0;
  for (int start = 0; start < count; start += BLOCK_SIZE) {
    const int b = start + threadIdx.x;
    sums[threadIdx.x] = b < count ? totals[b] : 0;
    __syncthreads();
    scan_sums(sums);
    if (b < count) totals[b] = sums[threadIdx.x] + carry;
    carry += sums[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  if (blockIdx.x == 0) return;
  const int before = totals[blockIdx.x - 1];
  for (int k = 0; k < COARSE; ++k) {
    const int i = blockIdx.x * TILE + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, BLOCK_SIZE>>>(totals, blocks);
  add_totals<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
