// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: a thread stores the place of an element of a in the tile, and not the
// element.

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the merged output come from a?
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
  __shared__ int splits[2];
  const int t = threadIdx.x;
  const int length = a_length + b_length;
  const int first = blockIdx.x * TILE;
  const int count = min(TILE, length - first);
  if (t < 2) {
    splits[t] = count_from_a(a, a_length, b, b_length, first + t * count);
  }
  __syncthreads();

  const int a_first = splits[0];
  const int b_first = first - a_first;
  const int a_count = splits[1] - a_first;
  const int b_count = count - a_count;
  for (int k = t; k < a_count; k += BLOCK_SIZE) {
    tile[k] = a[a_first + k];
  }
  for (int k = t; k < b_count; k += BLOCK_SIZE) {
    tile[a_count + k] = b[b_first + k];
  }
  __syncthreads();

  const int begin = min(t * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    if (i < a_count && (j >= b_count || tile[i] <= tile[a_count + j])) {
      merged[k] = i++;
    } else {
      merged[k] = tile[a_count + j++];
    }
  }
  __syncthreads();

  for (int k = t; k < count; k += BLOCK_SIZE) {
    output[first + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
