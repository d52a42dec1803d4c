// SPDX-License-Identifier: Apache-2.0
// mistake: Threads that have no elements to merge return at the start. But they should help to load the tile and
//   to store it, in steps of BLOCK_SIZE: the elements that are theirs there stay unloaded, and unstored. Shows
//   where the last tile has less than 2041 elements. A barrier after a return is not allowed, either.
// want: Take length 20. Which threads pass your test? Which threads load elements 3 to 19 of the tile?

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
  __shared__ int buffer[TILE];
  __shared__ int a_start, a_stop;

  const int length = a_length + b_length;
  const int global_begin = (blockIdx.x * BLOCK_SIZE + threadIdx.x) * COARSE_FACTOR;
  if (global_begin >= length) return;

  const int tile_start = blockIdx.x * TILE;
  const int tile_stop = min(tile_start + TILE, length);
  if (threadIdx.x == 0) {
    a_start = count_from_a(a, a_length, b, b_length, tile_start);
    a_stop = count_from_a(a, a_length, b, b_length, tile_stop);
  }
  __syncthreads();

  const int a_n = a_stop - a_start;
  const int n = tile_stop - tile_start;
  const int b_start = tile_start - a_start;
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    tile[k] = k < a_n ? a[a_start + k] : b[b_start + k - a_n];
  }
  __syncthreads();

  const int begin = threadIdx.x * COARSE_FACTOR;
  const int end = min(begin + COARSE_FACTOR, n);
  int i = count_from_a(tile, a_n, tile + a_n, n - a_n, begin);
  int j = a_n + begin - i;
  for (int k = begin; k < end; ++k) {
    buffer[k] = j >= n || (i < a_n && tile[i] <= tile[j]) ? tile[i++] : tile[j++];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    output[tile_start + k] = buffer[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles != 0) merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
