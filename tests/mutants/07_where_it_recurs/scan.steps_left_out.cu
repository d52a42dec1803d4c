// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the steps end before the last one.
#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE 8
#define TILE (BLOCK_SIZE * COARSE)

// scans each tile; if totals is not null, the sum of the tile goes there
__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int base = blockIdx.x * TILE;
  for (int k = 0; k < COARSE; ++k) {
    const int e = k * BLOCK_SIZE + threadIdx.x;
    tile[e] = base + e < length ? input[base + e] : 0;
  }
  __syncthreads();

  int sum = 0;
  for (int k = 0; k < COARSE; ++k) {
    sum += tile[threadIdx.x * COARSE + k];
    tile[threadIdx.x * COARSE + k] = sum;
  }
  sums[threadIdx.x] = sum;
  __syncthreads();

  for (int distance = 1; distance < BLOCK_SIZE / 2; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  const int add = threadIdx.x > 0 ? sums[threadIdx.x - 1] : 0;
  for (int k = 0; k < COARSE; ++k) tile[threadIdx.x * COARSE + k] += add;
  __syncthreads();

  for (int k = 0; k < COARSE; ++k) {
    const int e = k * BLOCK_SIZE + threadIdx.x;
    if (base + e < length) output[base + e] = tile[e];
  }
  if (totals && threadIdx.x == BLOCK_SIZE - 1) totals[blockIdx.x] = sums[threadIdx.x];
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int base = blockIdx.x * TILE;
  if (blockIdx.x == 0) return;
  const int before = totals[blockIdx.x - 1];
  for (int k = 0; k < COARSE; ++k) {
    const int e = base + k * BLOCK_SIZE + threadIdx.x;
    if (e < length) output[e] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  if (blocks > 1) {
    scan(totals, totals, blocks);
    add_totals<<<blocks, BLOCK_SIZE>>>(output, totals, length);
  }
  cudaFree(totals);
}
