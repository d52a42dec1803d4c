// SPDX-License-Identifier: Apache-2.0
// mistake: To avoid a launch of 0 blocks, the function returns when a or b is empty. But then the other array may have
//   elements, and the contract wants these in output: nothing is written. Shows when exactly one length is 0.
// want: Which lengths make the number of blocks 0? If a is empty and b is 1, 2, 3: what should output be after the
//   call, and what is it?

#include "merge_tiles.h"

#define BLOCK_SIZE 128
#define COARSE_FACTOR 16
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a? The others come from b. If a[middle] <=
// b[taken - 1 - middle], then a[middle] comes before that element of b, so at least middle + 1 come from a.
__device__ int count_from_a(const int* a, int a_length, const int* b, int b_length, int taken) {
  int low = max(0, taken - b_length);
  int high = min(taken, a_length);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (a[middle] <= b[taken - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int tile[TILE];
  __shared__ int limits[2];

  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, a_length + b_length);
  if (threadIdx.x < 2) {
    limits[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x == 0 ? tile_begin : tile_end);
  }
  __syncthreads();
  const int a_begin = limits[0];
  const int a_count = limits[1] - limits[0];
  const int b_begin = tile_begin - a_begin;
  const int b_count = (tile_end - limits[1]) - b_begin;

  // a's elements from the left, b's behind them
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) tile[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) tile[a_count + k] = b[b_begin + k];
  __syncthreads();

  int result[COARSE_FACTOR];
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, a_count + b_count);
  const int n = min(COARSE_FACTOR, a_count + b_count - begin);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = 0; k < n; ++k) {
    if (j == b_count || (i < a_count && tile[i] <= tile[a_count + j])) {
      result[k] = tile[i];
      i++;
    } else {
      result[k] = tile[a_count + j];
      j++;
    }
  }
  __syncthreads();
  for (int k = 0; k < n; ++k) tile[begin + k] = result[k];
  __syncthreads();

  for (int k = threadIdx.x; k < a_count + b_count; k += BLOCK_SIZE) output[tile_begin + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  // Nothing to merge: no launch, as 0 blocks would be an error.
  if (a_length == 0 || b_length == 0) return;

  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
