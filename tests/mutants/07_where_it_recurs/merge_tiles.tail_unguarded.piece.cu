// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: a thread's last elements are not checked.

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
  const int length = a_length + b_length;
  const int begin = min((blockIdx.x * BLOCK_SIZE + threadIdx.x) * COARSE_FACTOR, length);
  const int end = begin + COARSE_FACTOR;
  int i = count_from_a(a, a_length, b, b_length, begin);
  int j = begin - i;
  if (begin >= length) return;
  for (int k = begin; k < end; ++k) {
    if (j >= b_length || (i < a_length && a[i] <= b[j])) {
      output[k] = a[i++];
    } else {
      output[k] = b[j++];
    }
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
