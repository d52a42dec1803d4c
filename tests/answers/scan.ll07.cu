// SPDX-License-Identifier: Apache-2.0
// mistake: In the second kernel, each of the 128 threads adds up the totals of all tiles before its own, one by one:
//   the loads grow with the square of the number of tiles. Already with 262,144 elements (256 tiles of 1024) these
//   loops fetch about 16 sectors per 32 elements, 24 in all, where 20 are allowed; with a million, warps also execute
//   more than 3.5 x length instructions. The values are right. Shows for every long input, worse with length.
// want: How many totals does the last block load, and how often does it load each of them? What becomes of the
//   work in this loop if length doubles? Which operation on the totals would give each block its sum at once?

#include "scan.h"

constexpr int kThreads = 128;
constexpr int kPerThread = 8;
constexpr int kTile = kThreads * kPerThread;

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[kTile];
  __shared__ int sums[kThreads];
  const int t = threadIdx.x;
  const int first = blockIdx.x * kTile;

  for (int k = t; k < kTile; k += kThreads) {
    tile[k] = first + k < length ? input[first + k] : 0;
  }
  __syncthreads();

  int* mine = tile + t * kPerThread;
  int sum = 0;
  for (int k = 0; k < kPerThread; ++k) {
    sum += mine[k];
  }
  sums[t] = sum;
  __syncthreads();

  for (int distance = 1; distance < kThreads; distance *= 2) {
    const int before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }

  int running = sums[t] - sum;
  for (int k = 0; k < kPerThread; ++k) {
    running += mine[k];
    mine[k] = running;
  }
  if (t == kThreads - 1) totals[blockIdx.x] = running;
  __syncthreads();

  for (int k = t; k < kTile; k += kThreads) {
    if (first + k < length) output[first + k] = tile[k];
  }
}

__global__ void add_earlier_tiles(int* output, const int* totals, int length) {
  // All threads read the same total at the same time (broadcast), so this needs no shared memory.
  int before = 0;
  for (int tile = 0; tile < (int)blockIdx.x; ++tile) {
    before += totals[tile];
  }
  const int first = blockIdx.x * kTile;
  for (int k = threadIdx.x; k < kTile; k += kThreads) {
    if (first + k < length) output[first + k] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length <= 0) return;
  const int tiles = (length + kTile - 1) / kTile;
  int* totals = nullptr;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan_tiles<<<tiles, kThreads>>>(input, output, totals, length);
  if (tiles > 1) {
    add_earlier_tiles<<<tiles, kThreads>>>(output, totals, length);
  }
  cudaFree(totals);
}
