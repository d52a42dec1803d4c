// SPDX-License-Identifier: Apache-2.0
// mistake: The sums are floats in shared memory and in totals, as in the book's kernels. A float has 24 bits for the
//   number: ints above 16,777,216 are rounded, and the contract allows all sums that fit into an int. Shows when sums,
//   or elements, are beyond 16,777,216; below that all values are exact.
// want: What are 16,777,216 + 1 as an int and as a float? Which sums does the contract allow? Which type should your
//   tile, sums and totals have?

#include "scan.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

__global__ void scan_tiles(const int* input, int* output, float* totals, int length) {
  __shared__ float XY[TILE];
  __shared__ float sums[BLOCK_SIZE];
  const int tile_start = blockIdx.x * TILE;

  // Phase 0: load, neighbouring threads load neighbouring elements
  for (int j = 0; j < COARSE_FACTOR; ++j) {
    const int k = j * BLOCK_SIZE + threadIdx.x;
    XY[k] = tile_start + k < length ? input[tile_start + k] : 0.0f;
  }
  __syncthreads();

  // Phase 1: each thread scans its own section
  const int section = threadIdx.x * COARSE_FACTOR;
  for (int j = 1; j < COARSE_FACTOR; ++j) {
    XY[section + j] += XY[section + j - 1];
  }
  sums[threadIdx.x] = XY[section + COARSE_FACTOR - 1];
  __syncthreads();

  // Phase 2: Kogge-Stone over the last elements of the sections
  for (int stride = 1; stride < BLOCK_SIZE; stride *= 2) {
    float temp = 0.0f;
    if (threadIdx.x >= stride) temp = sums[threadIdx.x - stride];
    __syncthreads();
    sums[threadIdx.x] += temp;
    __syncthreads();
  }

  // Phase 3: add the sum of the sections before
  if (threadIdx.x > 0) {
    for (int j = 0; j < COARSE_FACTOR; ++j) {
      XY[section + j] += sums[threadIdx.x - 1];
    }
  }
  __syncthreads();

  for (int j = 0; j < COARSE_FACTOR; ++j) {
    const int k = j * BLOCK_SIZE + threadIdx.x;
    if (tile_start + k < length) output[tile_start + k] = XY[k];
  }
  if (threadIdx.x == BLOCK_SIZE - 1) {
    totals[blockIdx.x] = sums[BLOCK_SIZE - 1];
  }
}

__global__ void scan_totals(float* totals, int tiles) {
  for (int t = 1; t < tiles; ++t) {
    totals[t] += totals[t - 1];
  }
}

__global__ void add_totals(int* output, const float* totals, int length) {
  if (blockIdx.x == 0) return;
  const float before = totals[blockIdx.x - 1];
  for (int j = 0; j < COARSE_FACTOR; ++j) {
    const int i = blockIdx.x * TILE + j * BLOCK_SIZE + threadIdx.x;
    if (i < length) output[i] += before;
  }
}

void scan(const int* input, int* output, int length) {
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  float* totals;
  cudaMalloc((void**)&totals, tiles * sizeof(float));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, totals, length);
  scan_totals<<<1, 1>>>(totals, tiles);
  add_totals<<<tiles, BLOCK_SIZE>>>(output, totals, length);
  cudaFree(totals);
}
