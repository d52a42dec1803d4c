// SPDX-License-Identifier: Apache-2.0
// mistake: The merge loop has lost its tests for the end of a's and of b's part. When a's part is used up, tile[i] is
//   the first element of b's part, mostly small enough to be taken again; when b's part is used up, tile[j]
//   is behind the tile. Shows for almost every input at the end of its tiles, where one part is used up first.
// want: Take a = 1 and b = 2, 3. Which three elements does thread 0 store? What is tile[i] when a's part is used up?
//   Of the elements that a tile needs, which part is used up first, and what should happen from then on?

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
  __shared__ int tile[TILE];
  __shared__ int merged[TILE];
  __shared__ int split[2];

  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, a_length + b_length);
  const int count = tile_end - tile_begin;
  if (threadIdx.x < 2) {
    const int taken = threadIdx.x ? tile_end : tile_begin;
    split[threadIdx.x] = count_from_a(a, a_length, b, b_length, taken);
  }
  __syncthreads();

  const int a_begin = split[0];
  const int a_count = split[1] - a_begin;
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    if (k < a_count) {
      tile[k] = a[a_begin + k];
    } else {
      tile[k] = b[tile_begin - a_begin + k - a_count];
    }
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, count - a_count, begin);
  int j = a_count + begin - i;
  for (int k = begin; k < end; ++k) {
    // The search has found exactly the elements that belong to this tile. So the loop needs no checks for the
    // ends of a and b, only the comparison.
    if (tile[i] <= tile[j]) {
      merged[k] = tile[i];
      ++i;
    } else {
      merged[k] = tile[j];
      ++j;
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    output[tile_begin + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
