// SPDX-License-Identifier: Apache-2.0
// Each tile has 1024 elements of a, and the elements of b up to the next tile's first: as many as there are.
#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define PART 1024

// How many elements of b are smaller than value?
__device__ int count_smaller(const int* b, int length, int value) {
  int low = 0, high = length;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (b[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

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

// borders[p]: elements of b that come before element p * PART of a.
__global__ void find_borders(const int* a, int a_length, const int* b, int b_length, int* borders,
                             int parts) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p <= parts) {
    borders[p] = p == 0 ? 0 : p == parts ? b_length : count_smaller(b, b_length, a[p * PART]);
  }
}

// A part may have any number of elements of b: they are merged in tiles of 2048 elements.
__global__ void merge_parts(const int* a, int a_length, const int* b, int* output, const int* borders) {
  constexpr int kTile = 2048, kEach = kTile / BLOCK_SIZE;
  __shared__ int tile[kTile];
  __shared__ int border;
  const int a_first = blockIdx.x * PART, a_end = min(a_first + PART, a_length);
  const int b_first = borders[blockIdx.x], b_end = borders[blockIdx.x + 1];
  const int count = a_end - a_first + b_end - b_first;
  int a_taken = 0;
  for (int done = 0; done < count; done += kTile) {
    const int size = min(kTile, count - done);
    if (threadIdx.x == 0) {
      border = count_from_a(a + a_first, a_end - a_first, b + b_first, b_end - b_first, done + size);
    }
    __syncthreads();
    const int a_count = border - a_taken, b_taken = done - a_taken;
    for (int k = threadIdx.x; k < size; k += BLOCK_SIZE) {
      tile[k] = k < a_count ? a[a_first + a_taken + k] : b[b_first + b_taken + k - a_count];
    }
    __syncthreads();
    const int begin = min(int(threadIdx.x) * kEach, size);
    int i = count_from_a(tile, a_count, tile + a_count, size - a_count, begin);
    int j = a_count + begin - i;
    int merged[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if (begin + k < size)
        merged[k] = j == size || (i < a_count && tile[i] <= tile[j]) ? tile[i++] : tile[j++];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
      if (begin + k < size) tile[begin + k] = merged[k];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < size; k += BLOCK_SIZE) output[a_first + b_first + done + k] = tile[k];
    a_taken += a_count;
    __syncthreads();
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  if (a_length == 0 && b_length == 0) return;
  if (a_length == 0) return merge_tiles(b, b_length, a, a_length, output);
  const int parts = (a_length - 1) / PART + 1;
  int* borders = nullptr;
  cudaMalloc(&borders, (parts + 1) * sizeof(int));
  find_borders<<<parts / 256 + 1, 256>>>(a, a_length, b, b_length, borders, parts);
  merge_parts<<<parts, BLOCK_SIZE>>>(a, a_length, b, output, borders);
  cudaFree(borders);
}
