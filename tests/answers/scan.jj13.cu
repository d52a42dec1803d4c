// SPDX-License-Identifier: Apache-2.0
// mistake: Each block fetches its offset with atomicAdd(total, sum of its tile). That returns the sum of the blocks
//   that came there earlier, not of the tiles that lie before in the input. Blocks run in no fixed order; with two or
//   more tiles (length > 2048) the result is right only if they happen to arrive in the order of blockIdx.x.
// want: What does your atomicAdd return if block 1 is faster than block 0? What guarantees you the order of blocks?

#include "scan.h"

#define BLOCK_SIZE 256
#define ITEMS 8
#define TILE_SIZE (BLOCK_SIZE * ITEMS)

__global__ void scan_tiles(const int* input, int* output, int* total, int length) {
  __shared__ int tile[TILE_SIZE];
  __shared__ int sums[BLOCK_SIZE];
  __shared__ int offset;
  const int tid = threadIdx.x;
  const int start = blockIdx.x * TILE_SIZE;

  for (int k = tid; k < TILE_SIZE; k += BLOCK_SIZE) {
    tile[k] = start + k < length ? input[start + k] : 0;
  }
  __syncthreads();

  for (int k = 1; k < ITEMS; ++k) {
    tile[tid * ITEMS + k] += tile[tid * ITEMS + k - 1];
  }
  sums[tid] = tile[tid * ITEMS + ITEMS - 1];
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    const int before = tid >= distance ? sums[tid - distance] : 0;
    __syncthreads();
    sums[tid] += before;
    __syncthreads();
  }

  // All blocks before me have added their tiles to total, and atomicAdd returns the old value. So a single kernel is
  // enough, and every element is loaded and stored only once.
  if (tid == 0) {
    offset = atomicAdd(total, sums[BLOCK_SIZE - 1]);
  }
  __syncthreads();

  for (int k = tid; k < TILE_SIZE; k += BLOCK_SIZE) {
    const int owner = k / ITEMS;
    if (start + k < length) {
      output[start + k] = tile[k] + offset + (owner == 0 ? 0 : sums[owner - 1]);
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  scan_tiles<<<(length + TILE_SIZE - 1) / TILE_SIZE, BLOCK_SIZE>>>(input, output, total, length);
  cudaFree(total);
}
