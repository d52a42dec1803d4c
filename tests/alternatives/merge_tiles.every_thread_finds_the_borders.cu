// SPDX-License-Identifier: Apache-2.0
// All threads of a block search for both borders of the tile, all in the same places.
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
  const int first = blockIdx.x * TILE;
  const int count = min(TILE, a_length + b_length - first);
  const int a_first = count_from_a(a, a_length, b, b_length, first);
  const int a_count = count_from_a(a, a_length, b, b_length, first + count) - a_first;
  const int b_first = first - a_first;
  const int b_count = count - a_count;
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) tile[k] = a[a_first + k];
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) tile[a_count + k] = b[b_first + k];
  __syncthreads();

  const int begin = min(int(threadIdx.x) * COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = a_count + begin - i;
  int merged[COARSE_FACTOR];
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < count)
      merged[k] = j == count || (i < a_count && tile[i] < tile[j]) ? tile[i++] : tile[j++];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < count) tile[begin + k] = merged[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[first + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length > 0) {
    merge_kernel<<<(length - 1) / TILE + 1, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
