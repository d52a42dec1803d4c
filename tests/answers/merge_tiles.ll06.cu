// SPDX-License-Identifier: Apache-2.0
// mistake: Shared memory has room for 1024 elements of a and 1024 of b, as if each tile took half of its 2048 elements
//   from each array. A tile may take any number from 0 to 2048 from a: the rest is written behind the array. Shows
//   when any tile has more than 1024 elements of one array, as with random values, or with an empty a or b and a long
//   other one; even numbers in a and odd ones in b hide it.
// want: Let all elements of a be smaller than all of b. How many elements of a does the first tile need? How many
//   elements do a's part and b's part have together, whatever the values?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
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
  // TILE ints suffice for both arrays: one half for each.
  __shared__ int tile_a[TILE / 2];
  __shared__ int tile_b[TILE / 2];
  __shared__ int merged[TILE];
  __shared__ int from_a[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  if (threadIdx.x == 0) {
    from_a[0] = count_from_a(a, a_length, b, b_length, tile_begin);
    from_a[1] = count_from_a(a, a_length, b, b_length, tile_end);
  }
  __syncthreads();

  const int a_begin = from_a[0], a_end = from_a[1];
  const int b_begin = tile_begin - a_begin, b_end = tile_end - a_end;
  for (int k = a_begin + threadIdx.x; k < a_end; k += blockDim.x) {
    tile_a[k - a_begin] = a[k];
  }
  for (int k = b_begin + threadIdx.x; k < b_end; k += blockDim.x) {
    tile_b[k - b_begin] = b[k];
  }
  __syncthreads();

  const int a_count = a_end - a_begin, b_count = b_end - b_begin;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, tile_end - tile_begin);
  const int end = min(begin + COARSE_FACTOR, tile_end - tile_begin);
  int i = count_from_a(tile_a, a_count, tile_b, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    merged[k] = j >= b_count || (i < a_count && tile_a[i] <= tile_b[j]) ? tile_a[i++] : tile_b[j++];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < tile_end - tile_begin; k += blockDim.x) {
    output[tile_begin + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length > 0) {
    const int tiles = (length + TILE - 1) / TILE;
    merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
