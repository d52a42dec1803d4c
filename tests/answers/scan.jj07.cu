// SPDX-License-Identifier: Apache-2.0
// mistake: The first tile needs no offset, so add_offsets is launched with blocks - 1 blocks. For lengths 1 to 2048
//   that is 0 blocks, and the launch fails with an error. The values are right, as there is nothing to add, but the error
//   stays behind for whoever calls cudaGetLastError() next.
// want: How many blocks does each of your three launches have for length 1? What does cudaGetLastError() say then?

#include "scan.h"

#define BLOCK_SIZE 256
#define N 8

__device__ void hillis_steele(int* sums) {
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[BLOCK_SIZE * N];
  __shared__ int sums[BLOCK_SIZE];
  const int base = blockIdx.x * BLOCK_SIZE * N;

  for (int k = 0; k < N; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    tile[t] = base + t < length ? input[base + t] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < N; ++k) {
    sum += tile[threadIdx.x * N + k];
    tile[threadIdx.x * N + k] = sum;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  hillis_steele(sums);

  const int offset = sums[threadIdx.x] - sum;
  for (int k = 0; k < N; ++k) {
    tile[threadIdx.x * N + k] += offset;
  }
  __syncthreads();

  for (int k = 0; k < N; ++k) {
    const int t = k * BLOCK_SIZE + threadIdx.x;
    if (base + t < length) {
      output[base + t] = tile[t];
    }
  }
  if (threadIdx.x == BLOCK_SIZE - 1) {
    totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void scan_totals(int* totals, int count) {
  __shared__ int sums[BLOCK_SIZE];
  int carry = 0;
  for (int base = 0; base < count; base += BLOCK_SIZE) {
    const int i = base + threadIdx.x;
    sums[threadIdx.x] = i < count ? totals[i] : 0;
    __syncthreads();
    hillis_steele(sums);
    if (i < count) {
      totals[i] = carry + sums[threadIdx.x];
    }
    carry += sums[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

// Block b works on tile b + 1. Tile 0 is finished already.
__global__ void add_offsets(int* output, const int* totals, int length) {
  const int base = (blockIdx.x + 1) * BLOCK_SIZE * N;
  const int offset = totals[blockIdx.x];
  for (int k = 0; k < N; ++k) {
    const int i = base + k * BLOCK_SIZE + threadIdx.x;
    if (i < length) {
      output[i] += offset;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;  // a launch of 0 blocks would be an error
  }
  const int blocks = (length + BLOCK_SIZE * N - 1) / (BLOCK_SIZE * N);
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, BLOCK_SIZE>>>(totals, blocks);
  add_offsets<<<blocks - 1, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
