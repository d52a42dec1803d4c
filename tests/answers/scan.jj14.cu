// SPDX-License-Identifier: Apache-2.0
// mistake: The sums of threads and tiles are floats. A float holds integers exactly only up to 2^24 = 16,777,216;
//   beyond, the sums are rounded and the outputs are off by some units. It shows only where sums get large, for
//   large elements or very long inputs; small elements in short inputs are right.
// want: Which integers can a float hold? What does your kernel return for 16777216, 1?

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 8
#define TILE (BLOCK_SIZE * ITEMS)

// From my scan for floats of last week.
__device__ float block_scan(float sum, float* sums) {
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const float before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0.0f;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  return threadIdx.x > 0 ? sums[threadIdx.x - 1] : 0.0f;  // exclusive
}

__global__ void scan_tiles(const int* input, int* output, float* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ float sums[BLOCK_SIZE];
  const int start = blockIdx.x * TILE;
  for (int k = 0; k < ITEMS; ++k) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  float sum = 0;
  for (int k = 0; k < ITEMS; ++k) {
    sum += tile[threadIdx.x * ITEMS + k];
  }
  float running = block_scan(sum, sums);
  for (int k = 0; k < ITEMS; ++k) {
    running += tile[threadIdx.x * ITEMS + k];
    tile[threadIdx.x * ITEMS + k] = running;
  }
  __syncthreads();

  for (int k = 0; k < ITEMS; ++k) {
    const int j = k * BLOCK_SIZE + threadIdx.x;
    if (start + j < length) {
      output[start + j] = tile[j];
    }
  }
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void scan_totals(float* totals, int count) {
  __shared__ float sums[BLOCK_SIZE];
  float carry = 0;
  for (int start = 0; start < count; start += BLOCK_SIZE) {
    const int b = start + threadIdx.x;
    const float before = block_scan(b < count ? totals[b] : 0.0f, sums);
    if (b < count) {
      totals[b] = carry + before;
    }
    carry += sums[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

__global__ void add_totals(int* output, const float* totals, int length) {
  const int before = totals[blockIdx.x];
  for (int k = 0; k < ITEMS; ++k) {
    const int i = blockIdx.x * TILE + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length + TILE - 1) / TILE;
  float* totals;
  cudaMalloc(&totals, blocks * sizeof(float));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, BLOCK_SIZE>>>(totals, blocks);
  add_totals<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
