// SPDX-License-Identifier: Apache-2.0
// mistake: The steps of the scan have one barrier each, after the addition. In a step, sums[t] += sums[t - distance]
//   reads an element that its own thread changes in the same step: a thread of another warp may read it before or after
//   that, so some sums count elements twice. A race in every tile with nonzero sums in the second warp or later (first
//   seen from about 256 elements on, and not in every run).
// want: Step distance = 1: thread 32 reads sums[31] while thread 31 adds to it. Which of the two values must thread 32
//   get, and what makes sure that it does?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 8
#define TILE (BLOCK_SIZE * COARSE)

__device__ void scan_block(int* sums) {
  const int t = threadIdx.x;
  for (int distance = 1; distance < BLOCK_SIZE; distance *= 2) {
    if (t >= distance) {
      sums[t] += sums[t - distance];
    }
    __syncthreads();  // outside of the if, so that all threads get here
  }
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int base = blockIdx.x * TILE;

  for (int k = 0; k < COARSE; k++) {
    const int j = k * BLOCK_SIZE + t;
    tile[j] = base + j < length ? input[base + j] : 0;
  }
  __syncthreads();

  int* my = &tile[t * COARSE];
  for (int k = 1; k < COARSE; k++) {
    my[k] += my[k - 1];
  }
  sums[t] = my[COARSE - 1];
  __syncthreads();
  scan_block(sums);

  const int before = t == 0 ? 0 : sums[t - 1];
  for (int k = 0; k < COARSE; k++) {
    my[k] += before;
  }
  __syncthreads();

  for (int k = 0; k < COARSE; k++) {
    const int j = k * BLOCK_SIZE + t;
    if (base + j < length) {
      output[base + j] = tile[j];
    }
  }
  if (t == 0) {
    totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int base = (blockIdx.x + 1) * TILE;  // tile 0 has nothing before it
  const int offset = totals[blockIdx.x];
  for (int j = threadIdx.x; j < TILE; j += BLOCK_SIZE) {
    if (base + j < length) {
      output[base + j] += offset;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int tiles = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));

  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, totals, length);
  if (tiles > 1) {
    scan(totals, totals, tiles);
    add_totals<<<tiles - 1, BLOCK_SIZE>>>(output, totals, length);
  }
  cudaFree(totals);
}
