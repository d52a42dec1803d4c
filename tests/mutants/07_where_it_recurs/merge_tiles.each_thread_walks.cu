// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: an element is compared with all those of the other array in the tile.
#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a.
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
  __shared__ int sorted[TILE];
  __shared__ int bounds[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  if (threadIdx.x == 0) bounds[0] = count_from_a(a, a_length, b, b_length, tile_begin);
  if (threadIdx.x == 32) bounds[1] = count_from_a(a, a_length, b, b_length, tile_end);  // another warp
  __syncthreads();

  const int count = tile_end - tile_begin;
  const int a_begin = bounds[0];
  const int a_count = bounds[1] - bounds[0];
  const int b_begin = tile_begin - a_begin;
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + (k - a_count)];
  }
  __syncthreads();

  // An element's place: how many come before it.
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    const int me = tile[k];
    int place;
    if (k < a_count) {
      place = k;
      for (int n = a_count; n < count; ++n) {
        if (tile[n] < me) ++place;
      }
    } else {
      place = k - a_count;
      for (int n = 0; n < a_count; ++n) {
        if (tile[n] <= me) ++place;
      }
    }
    sorted[place] = me;
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    output[tile_begin + k] = sorted[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
