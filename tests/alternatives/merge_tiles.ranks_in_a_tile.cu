// SPDX-License-Identifier: Apache-2.0
// Each element of a tile searches in shared memory for its place, and its thread stores it there in output.
#include "merge_tiles.h"

#define BLOCK_SIZE 512
#define TILE 2048

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

// How many elements of the array come before value? Equal ones do so if `with_equal`.
__device__ int count_before(const int* array, int length, int value, bool with_equal) {
  int low = 0, high = length;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (array[middle] < value || (with_equal && array[middle] == value)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int tile[TILE];
  __shared__ int borders[2];
  const int first = blockIdx.x * TILE;
  const int count = min(TILE, a_length + b_length - first);
  if (threadIdx.x % 32 == 0 && threadIdx.x < 64) {
    const int side = threadIdx.x / 32;
    borders[side] = count_from_a(a, a_length, b, b_length, first + side * count);
  }
  __syncthreads();
  const int a_first = borders[0], a_count = borders[1] - borders[0];
  const int b_first = first - a_first, b_count = count - a_count;
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_first + k] : b[b_first + k - a_count];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    const int place = k < a_count ? k + count_before(tile + a_count, b_count, tile[k], false)
                                  : k - a_count + count_before(tile, a_count, tile[k], true);
    output[first + place] = tile[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length > 0) {
    merge_kernel<<<(length - 1) / TILE + 1, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
