// SPDX-License-Identifier: Apache-2.0
// mistake: scan_totals is launched with one thread per tile, <<<1, blocks>>>. A block has at most 1024 threads, so for
//   more than 1024 tiles of 1024 elements (length > 1,048,576) that launch fails, the totals stay unscanned, and
//   everything after the second tile is wrong. Shorter inputs are right.
// want: How many tiles are there for 2 million elements, and how many threads may a block have? Try such a length and
//   look at cudaGetLastError().

#include "scan.h"

constexpr int kBlock = 128;
constexpr int kPerThread = 8;
constexpr int kTile = kBlock * kPerThread;

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[kTile];
  __shared__ int sums[kBlock];
  const int start = blockIdx.x * kTile;
  for (int j = threadIdx.x; j < kTile; j += kBlock) {
    tile[j] = start + j < length ? input[start + j] : 0;
  }
  __syncthreads();

  int running = 0;
  for (int j = threadIdx.x * kPerThread; j < (threadIdx.x + 1) * kPerThread; ++j) {
    running += tile[j];
    tile[j] = running;
  }
  sums[threadIdx.x] = running;
  __syncthreads();

  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }

  // The element j belongs to thread j / kPerThread.
  for (int j = threadIdx.x; j < kTile; j += kBlock) {
    const int owner = j / kPerThread;
    if (start + j < length) {
      output[start + j] = tile[j] + (owner > 0 ? sums[owner - 1] : 0);
    }
  }
  if (threadIdx.x == 0) {
    totals[blockIdx.x] = sums[kBlock - 1];
  }
}

// The same again for the totals, in a single block: one thread for each tile.
__global__ void scan_totals(int* totals) {
  extern __shared__ int tile_sums[];
  tile_sums[threadIdx.x] = totals[threadIdx.x];
  __syncthreads();
  for (int distance = 1; distance < blockDim.x; distance *= 2) {
    const int before = threadIdx.x >= distance ? tile_sums[threadIdx.x - distance] : 0;
    __syncthreads();
    tile_sums[threadIdx.x] += before;
    __syncthreads();
  }
  totals[threadIdx.x] = tile_sums[threadIdx.x];
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
  for (int j = threadIdx.x; j < kTile; j += kBlock) {
    const int i = blockIdx.x * kTile + j;
    if (i < length) {
      output[i] += before;
    }
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) {
    return;
  }
  const int blocks = (length + kTile - 1) / kTile;
  int* totals;
  cudaMalloc(&totals, blocks * sizeof(int));
  scan_tiles<<<blocks, kBlock>>>(input, output, totals, length);
  scan_totals<<<1, blocks, blocks * sizeof(int)>>>(totals);
  add_totals<<<blocks, kBlock>>>(output, totals, length);
  cudaFree(totals);
}
