// SPDX-License-Identifier: Apache-2.0
// mistake: The starter's step had two barriers: read, wait, add, wait. Here `sums[t] += sums[t - distance]` reads and
//   writes in one statement, and nothing keeps thread t - distance from having added its own already. A thread in
//   another warp may then read the sum of this step instead of the last one and counts elements twice. A race:
//   it may show for any input of more than 32 threads' elements (length above 256), and not in every run.
// want: In the step with distance 32, thread 70 reads sums[38]. Who writes sums[38] in the same step, and what
//   makes sure that thread 70 reads first?

#include "scan.h"

#define BLOCK_SIZE 256
#define PER_THREAD 8
#define TILE (BLOCK_SIZE * PER_THREAD)

// Scans the elements of each block. Element i of the block's tile becomes the sum of elements 0 to i.
__global__ void scan_tiles(const int* input, int* output, int* tile_sums, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int start = blockIdx.x * TILE;

  // neighbours load neighbours
  for (int k = 0; k < PER_THREAD; k++) {
    const int j = k * BLOCK_SIZE + t;
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  // each thread adds up its own 8
  int sum = 0;
  for (int k = 0; k < PER_THREAD; k++) {
    sum += tile[t * PER_THREAD + k];
    tile[t * PER_THREAD + k] = sum;
  }
  sums[t] = sum;
  __syncthreads();

  // one barrier per step is enough: everybody reads what the step before has written
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    if (t >= distance) {
      sums[t] += sums[t - distance];
    }
    __syncthreads();
  }

  const int before = t > 0 ? sums[t - 1] : 0;
  for (int k = 0; k < PER_THREAD; k++) {
    tile[t * PER_THREAD + k] += before;
  }
  __syncthreads();

  for (int k = 0; k < PER_THREAD; k++) {
    const int j = k * BLOCK_SIZE + t;
    if (start + j < length) {
      output[start + j] = tile[j];
    }
  }
  if (t == BLOCK_SIZE - 1) {
    tile_sums[blockIdx.x] = sums[t];
  }
}

// Only a few sums, one thread can do that.
__global__ void scan_sums(int* tile_sums, int tiles) {
  int sum = 0;
  for (int b = 0; b < tiles; b++) {
    const int s = tile_sums[b];
    tile_sums[b] = sum;
    sum += s;
  }
}

__global__ void add_sums(int* output, const int* tile_sums, int length) {
  const int before = tile_sums[blockIdx.x];
  for (int k = 0; k < PER_THREAD; k++) {
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
  const int tiles = (length + TILE - 1) / TILE;
  int* tile_sums;
  cudaMalloc(&tile_sums, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, tile_sums, length);
  scan_sums<<<1, 1>>>(tile_sums, tiles);
  add_sums<<<tiles, BLOCK_SIZE>>>(output, tile_sums, length);
  cudaFree(tile_sums);
}
