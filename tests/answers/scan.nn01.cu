// SPDX-License-Identifier: Apache-2.0
// mistake: add_totals sets `before` to 0 in thread 0, and all threads add to it with no barrier in between.
// want: A thread may add before thread 0 stores the 0, and its part is lost. A barrier after the store.

#include "scan.h"
#define BLOCK_SIZE 256
#define PER 16
#define TILE (BLOCK_SIZE * PER)
__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int sums[BLOCK_SIZE];
  const int t = threadIdx.x;
  const int start = blockIdx.x * TILE;
  for (int k = t; k < TILE; k += BLOCK_SIZE) tile[k] = start + k < length ? input[start + k] : 0;
  __syncthreads();
  int total = 0;
  for (int k = 0; k < PER; ++k) {
    total += tile[t * PER + k];
    tile[t * PER + k] = total;
  }
  sums[t] = total;
  __syncthreads();
  for (int d = 1; d < BLOCK_SIZE; d *= 2) {
    const int before = t >= d ? sums[t - d] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  const int add = t > 0 ? sums[t - 1] : 0;
  for (int k = 0; k < PER; ++k) tile[t * PER + k] += add;
  __syncthreads();
  for (int k = t; k < TILE; k += BLOCK_SIZE) if (start + k < length) output[start + k] = tile[k];
  if (t == 0) totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
}
__global__ void add_totals(const int* totals, int* output, int length) {
  __shared__ int before;
  if (threadIdx.x == 0) before = 0;
  int mine = 0;
  for (int b = threadIdx.x; b < blockIdx.x; b += BLOCK_SIZE) mine += totals[b];
  atomicAdd(&before, mine);
  __syncthreads();
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    const int i = blockIdx.x * TILE + k;
    if (i < length) output[i] += before;
  }
}
void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int blocks = (length + TILE - 1) / TILE;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, BLOCK_SIZE>>>(input, output, totals, length);
  add_totals<<<blocks, BLOCK_SIZE>>>(totals, output, length);
  cudaFree(totals);
}
