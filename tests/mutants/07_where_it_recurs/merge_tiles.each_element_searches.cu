// SPDX-License-Identifier: Apache-2.0
//
// Wrong answer, kept for tests: each element searches for its place in global memory.

#include "merge_tiles.h"

#define BLOCK_SIZE 256

// How many elements of the array are smaller than value?
__device__ int count_smaller(const int* array, int length, int value) {
  int low = 0;
  int high = length;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (array[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// How many elements of the array are not greater than value?
__device__ int count_up_to(const int* array, int length, int value) {
  int low = 0;
  int high = length;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (array[middle] <= value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  if (i < a_length) {
    output[i + count_smaller(b, b_length, a[i])] = a[i];
  } else if (i < a_length + b_length) {
    const int j = i - a_length;
    output[j + count_up_to(a, a_length, b[j])] = b[j];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
