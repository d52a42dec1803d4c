// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs: the solution. Each tile of the output can be merged alone, once it is
// known which elements of a and b belong to it. Two kernels:
//
//   find_splits    searches for the beginnings of all tiles, with a thread for each. Every load of a binary
//                  search waits for the one before, so it pays that all searches run at the same time.
//   merge_kernel   a block loads its elements of a and b into shared memory, and the loads are coalesced.
//                  There, each thread searches for the beginning of its own COARSE_FACTOR elements of the
//                  tile, and merges them alone.

#include <limits.h>

#include "merge_tiles.h"

#define THREADS 384
// Odd, so that the k-th elements of 32 neighbouring threads lie in 32 different banks.
#define COARSE_FACTOR 31
#define TILE (THREADS * COARSE_FACTOR)

// splits[t] elements of a belong to the tiles before tile t. There is room for the longest output.
__device__ int splits[INT_MAX / TILE + 2];

// How many of the first `taken` elements of the output come from a? Of equal elements, a's come first.
__device__ int count_from_a(const int* a, int a_length, const int* b, int b_length, int taken) {
  int low = max(0, taken - b_length);
  int high = min(taken, a_length);
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (a[middle] <= b[taken - 1 - middle]) {
      low = middle + 1;  // a[middle] is one of them
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void find_splits(const int* a, int a_length, const int* b, int b_length, int tiles) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile <= tiles) {
    const int length = a_length + b_length;
    splits[tile] = count_from_a(a, a_length, b, b_length, tile < tiles ? tile * TILE : length);
  }
}

__global__ __launch_bounds__(THREADS) void merge_kernel(const int* a, const int* b, int* output, int length) {
  __shared__ int elements[TILE];

  const int t = threadIdx.x;
  const int first = blockIdx.x * TILE;
  const int count = min(TILE, length - first);
  const int a_first = splits[blockIdx.x];
  const int b_first = first - a_first;
  const int a_count = splits[blockIdx.x + 1] - a_first;
  const int b_count = count - a_count;

  // In shared memory, the elements of b follow those of a. All loads come before the first store, so that a
  // thread does not wait for each of them.
  int values[COARSE_FACTOR];
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    const int i = k * THREADS + t;
    if (i < count) values[k] = i < a_count ? a[a_first + i] : b[b_first + i - a_count];
  }
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    const int i = k * THREADS + t;
    if (i < count) elements[i] = values[k];
  }
  __syncthreads();

  // elements[i] is the next element of a, if i < a_count; elements[j] is the next one of b, if j < count.
  const int begin = min(t * COARSE_FACTOR, count);
  int i = count_from_a(elements, a_count, elements + a_count, b_count, begin);
  int j = a_count + begin - i;
  int next_a = i < a_count ? elements[i] : 0;
  int next_b = j < count ? elements[j] : 0;
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    const bool take_a = i < a_count && (j >= count || next_a <= next_b);
    values[k] = take_a ? next_a : next_b;
    if (take_a) {
      if (++i < a_count) next_a = elements[i];
    } else {
      if (++j < count) next_b = elements[j];
    }
  }
  __syncthreads();  // all threads have read: merged elements may overwrite the tile

#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < count) elements[begin + k] = values[k];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    const int o = k * THREADS + t;
    if (o < count) output[first + o] = elements[o];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length - 1) / TILE + 1;
  find_splits<<<tiles / 128 + 1, 128>>>(a, a_length, b, b_length, tiles);
  merge_kernel<<<tiles, THREADS>>>(a, b, output, length);
}
