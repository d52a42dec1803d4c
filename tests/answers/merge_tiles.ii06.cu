// SPDX-License-Identifier: Apache-2.0
// mistake: The thread writes its merged elements to registers first, then back to the tile, but there is no
//   barrier between: a fast warp writes over elements of the tile that slower warps have yet to merge. Values are
//   wrong at random, for every length above 256 (more than one warp at work).
// want: Your thread is done with merging. Do you know that all others are done with reading tile[begin] to
//   tile[end - 1]? Which thread may still need them?

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
  __shared__ int from_a[2];
  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  if (threadIdx.x == 0) {
    from_a[0] = count_from_a(a, a_length, b, b_length, tile_begin);
    from_a[1] = count_from_a(a, a_length, b, b_length, tile_end);
  }
  __syncthreads();
  const int a0 = from_a[0];
  const int a_count = from_a[1] - a0;
  const int b0 = tile_begin - a0;
  const int count = tile_end - tile_begin;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < a_count; k += blockDim.x) tile[k] = a[a0 + k];
  for (int k = threadIdx.x; k < b_count; k += blockDim.x) tile[k + a_count] = b[b0 + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  int merged[COARSE_FACTOR];
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < end) {
      const bool take_a = j >= b_count || (i < a_count && tile[i] <= tile[a_count + j]);
      merged[k] = take_a ? tile[i++] : tile[a_count + j++];
    }
  }
  // the merged elements are safe in registers now, so the tile can be used again
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < end) tile[begin + k] = merged[k];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += blockDim.x) output[tile_begin + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
