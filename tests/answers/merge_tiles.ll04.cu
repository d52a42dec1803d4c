// SPDX-License-Identifier: Apache-2.0
// mistake: The threads merge in place: the merged elements go to the same array `tile` from which the thread itself and
//   all others still read a's and b's elements (and search). They overwrite inputs before these are read. Shows for
//   almost every input with elements from both arrays in a tile.
// want: Take a = 5, 6 and b = 1, 2 in one tile. What does tile hold before, and what after thread 0's first step? Which
//   value does it then read as a's first element? Where can merged elements wait until all have read?

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
  __shared__ int starts[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int count = min(TILE, length - tile_begin);

  if (threadIdx.x < 2) {
    const int taken = tile_begin + (int)threadIdx.x * count;
    starts[threadIdx.x] = count_from_a(a, a_length, b, b_length, taken);
  }
  __syncthreads();

  const int a_start = starts[0];
  const int a_count = starts[1] - starts[0];
  const int b_start = tile_begin - a_start;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < a_count; k += blockDim.x) {
    tile[k] = a[a_start + k];
  }
  for (int k = threadIdx.x; k < b_count; k += blockDim.x) {
    tile[a_count + k] = b[b_start + k];
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    const bool from_a = j >= b_count || (i < a_count && tile[i] <= tile[a_count + j]);
    // TILE ints suffice: the output of the tile has just as many elements as its inputs.
    tile[k] = from_a ? tile[i++] : tile[a_count + j++];
  }
  __syncthreads();

  // a warp stores 32 neighbours
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    output[tile_begin + k] = tile[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
