// SPDX-License-Identifier: Apache-2.0
// mistake: In the steps of scan_sums, each thread reads sums[t - distance] and writes sums[t] between the same two
//   barriers. Another warp may have added to sums[t - distance] already in the same step: a race. Sums of tiles with
//   more than one warp's worth of elements may come out too large, differently from run to run.
// want: Who writes sums[threadIdx.x - distance], and when? What did the barrier in the middle of the starter's loop
//   keep apart?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSENING 8

// Inclusive scan of sums. One barrier per step is enough, because += is a single operation.
__device__ void scan_sums(int* sums) {
  __syncthreads();
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    if (threadIdx.x >= distance) {
      sums[threadIdx.x] += sums[threadIdx.x - distance];
    }
    __syncthreads();
  }
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[BLOCK_SIZE * COARSENING];
  __shared__ int sums[BLOCK_SIZE];
  const int start = blockIdx.x * BLOCK_SIZE * COARSENING;

  for (int k = 0; k < COARSENING; ++k) {
    const int t = threadIdx.x + k * BLOCK_SIZE;
    tile[t] = start + t < length ? input[start + t] : 0;
  }
  __syncthreads();

  const int first = threadIdx.x * COARSENING;
  for (int k = 1; k < COARSENING; ++k) {
    tile[first + k] += tile[first + k - 1];
  }
  sums[threadIdx.x] = tile[first + COARSENING - 1];
  scan_sums(sums);

  if (threadIdx.x > 0) {
    for (int k = 0; k < COARSENING; ++k) {
      tile[first + k] += sums[threadIdx.x - 1];
    }
  }
  __syncthreads();

  for (int k = 0; k < COARSENING; ++k) {
    const int t = threadIdx.x + k * BLOCK_SIZE;
    if (start + t < length) {
      output[start + t] = tile[t];
    }
  }
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void scan_totals(int* totals, int blocks) {
  __shared__ int sums[BLOCK_SIZE];
  int carry = 0;
  for (int start = 0; start < blocks; start += BLOCK_SIZE) {
    const int b = start + threadIdx.x;
    sums[threadIdx.x] = b < blocks ? totals[b] : 0;
    scan_sums(sums);
    if (b < blocks) {
      totals[b] = carry + sums[threadIdx.x];
    }
    carry += sums[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  if (blockIdx.x == 0) {
    return;
  }
  const int before = totals[blockIdx.x - 1];
  const int start = blockIdx.x * BLOCK_SIZE * COARSENING;
  for (int k = 0; k < COARSENING; ++k) {
    const int i = start + threadIdx.x + k * BLOCK_SIZE;
    if (i < length) {
      output[i] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length + BLOCK_SIZE * COARSENING - 1) / (BLOCK_SIZE * COARSENING);
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, BLOCK_SIZE>>>(totals, blocks);
  add_totals<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
