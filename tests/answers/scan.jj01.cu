// SPDX-License-Identifier: Apache-2.0
// mistake: Every thread loads its own 8 neighbours straight from global memory. In each of these loads the lanes of a
//   warp are 32 bytes apart, so a load fetches 32 sectors: 32 sectors per 32 elements, plus 4 in add_offsets; 20 are
//   allowed. The stores go through shared memory and are fine. Values are right; it shows for every long input.
// want: Which addresses do the 32 threads of a warp load at the same time, for k = 0? How many sectors is that? You
//   already change the order for the stores: do the same for the loads.

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 8
#define TILE (BLOCK_SIZE * ITEMS)

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int sums[BLOCK_SIZE];
  __shared__ int tile[TILE];
  const int start = blockIdx.x * TILE;
  const int first = start + threadIdx.x * ITEMS;

  // My 8 neighbours are next to each other, so after the first one the other 7 are in the L1 cache anyway.
  int mine[ITEMS];
  int sum = 0;
  for (int k = 0; k < ITEMS; ++k) {
    sum += first + k < length ? input[first + k] : 0;
    mine[k] = sum;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  // Write through shared memory so that the stores are coalesced.
  const int before = sums[threadIdx.x] - sum;
  for (int k = 0; k < ITEMS; ++k) {
    tile[threadIdx.x * ITEMS + k] = before + mine[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (start + k < length) {
      output[start + k] = tile[k];
    }
  }
  if (threadIdx.x == BLOCK_SIZE - 1) {
    totals[blockIdx.x] = sums[threadIdx.x];
  }
}

// One block; makes totals[b] the sum of all tiles before tile b.
__global__ void scan_totals(int* totals, int blocks) {
  __shared__ int sums[BLOCK_SIZE];
  int carry = 0;
  for (int start = 0; start < blocks; start += BLOCK_SIZE) {
    const int b = start + threadIdx.x;
    const int own = b < blocks ? totals[b] : 0;
    sums[threadIdx.x] = own;
    __syncthreads();
    for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
      const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
      __syncthreads();
      sums[threadIdx.x] += before;
      __syncthreads();
    }
    if (b < blocks) {
      totals[b] = carry + sums[threadIdx.x] - own;
    }
    carry += sums[BLOCK_SIZE - 1];
    __syncthreads();
  }
}

__global__ void add_offsets(int* output, const int* totals, int length) {
  const int start = blockIdx.x * TILE;
  const int offset = totals[blockIdx.x];
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (start + k < length) {
      output[start + k] += offset;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, BLOCK_SIZE>>>(totals, blocks);
  add_offsets<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
