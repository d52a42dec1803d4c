// SPDX-License-Identifier: Apache-2.0
// mistake: The part of b is taken as TILE - a_count elements, also in the last tile, which may have fewer: the
//   block loads elements behind the end of b and searches and merges with them. Shows where length is not a
//   multiple of 2048: illegal reads, and wrong values where what lies there is smaller than an element of a.
// want: Take a_length 3 and b_length 2. Which elements of b does the block load? How many elements has the last
//   tile?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a?
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
  __shared__ int merged[TILE];
  __shared__ int a_begin, a_end;
  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  if (threadIdx.x == 0) {
    a_begin = count_from_a(a, a_length, b, b_length, tile_begin);
    a_end = count_from_a(a, a_length, b, b_length, min(tile_begin + TILE, length));
  }
  __syncthreads();

  const int a_count = a_end - a_begin;
  const int b_begin = tile_begin - a_begin;
  const int b_count = TILE - a_count;  // the rest of the tile
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) {
    tile[k] = a[a_begin + k];
  }
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) {
    tile[a_count + k] = b[b_begin + k];
  }
  __syncthreads();

  const int begin = threadIdx.x * COARSE_FACTOR;
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < begin + COARSE_FACTOR; ++k) {
    if (j >= b_count || (i < a_count && tile[i] <= tile[a_count + j])) {
      merged[k] = tile[i++];
    } else {
      merged[k] = tile[a_count + j++];
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < TILE && tile_begin + k < length; k += BLOCK_SIZE) {
    output[tile_begin + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
