// SPDX-License-Identifier: Apache-2.0
// mistake: __shfl_up_sync does not give 0 to the lanes that have no lane `distance` below them: they get their own
//   value back. Without a test, lane 0 doubles its sum in each of the 5 steps, and lanes 1 to 15 in some of them. Shows
//   for every input whose first 8 elements do not add up to 0.
// want: What does __shfl_up_sync return in lane 0, with a distance of 1? Work out by hand what lanes 0 and 1 have after
//   two steps, if all values are 1.

#include "scan.h"

#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / 32)
#define COARSE 8
#define TILE (BLOCK_SIZE * COARSE)

// Inclusive scan of one value per lane. No shared memory and no barriers.
__device__ int warp_scan(int value) {
  for (int distance = 1; distance < 32; distance *= 2) {
    value += __shfl_up_sync(0xffffffff, value, distance);
  }
  return value;
}

__global__ void scan_tiles(const int* input, int* output, int* totals, int length) {
  __shared__ int tile[TILE];
  __shared__ int warp_sums[WARPS];
  const int first = blockIdx.x * TILE;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    tile[k] = first + k < length ? input[first + k] : 0;
  }
  __syncthreads();

  int* mine = tile + threadIdx.x * COARSE;
  for (int k = 1; k < COARSE; ++k) {
    mine[k] += mine[k - 1];
  }
  const int sum = mine[COARSE - 1];

  const int inclusive = warp_scan(sum);
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    const int scanned = warp_scan(lane < WARPS ? warp_sums[lane] : 0);
    if (lane < WARPS) warp_sums[lane] = scanned;
  }
  __syncthreads();

  const int before = inclusive - sum + (warp > 0 ? warp_sums[warp - 1] : 0);
  for (int k = 0; k < COARSE; ++k) {
    mine[k] += before;
  }
  if (threadIdx.x == BLOCK_SIZE - 1) totals[blockIdx.x] = mine[COARSE - 1];
  __syncthreads();

  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    if (first + k < length) output[first + k] = tile[k];
  }
}

__global__ void scan_totals(int* totals, int tiles) {
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    sum += totals[i];
    totals[i] = sum;
  }
}

__global__ void add_totals(int* output, const int* totals, int length) {
  const int tile = blockIdx.x + 1;  // tile 0 needs nothing
  const int add = totals[tile - 1];
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    const int i = tile * TILE + k;
    if (i < length) output[i] += add;
  }
}

void scan(const int* input, int* output, int length) {
  const int tiles = (length + TILE - 1) / TILE;
  if (tiles == 0) return;
  int* totals;
  cudaMalloc(&totals, tiles * sizeof(int));
  scan_tiles<<<tiles, BLOCK_SIZE>>>(input, output, totals, length);
  if (tiles > 1) {
    scan_totals<<<1, 1>>>(totals, tiles);
    add_totals<<<tiles - 1, BLOCK_SIZE>>>(output, totals, length);
  }
  cudaFree(totals);
}
