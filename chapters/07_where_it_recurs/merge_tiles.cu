// SPDX-License-Identifier: Apache-2.0
//
// Chapter 7, where coarsening recurs. Each thread of the kernel below merges several elements of output
// straight from global memory. The values are right, but the lanes of a warp touch places far apart. Merge in
// shared memory instead. Four places are marked TODO.
//
//   ./warplings check merge_tiles

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a? The others come from b. If a[middle] <=
// b[taken - 1 - middle], a[middle] comes before that element of b. Without a[middle], b would have to supply
// that element, so at least middle + 1 come from a.
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
  // TODO 1: let the block find out which elements of a and b belong to its tile of output. How many searches
  // does a block need, and how many threads do them?

  // TODO 2: load these elements into shared memory, in steps of blockDim.x. Why do TILE ints suffice for both
  // arrays? Search and merge there.
  const int length = a_length + b_length;
  const int begin = min((blockIdx.x * BLOCK_SIZE + threadIdx.x) * COARSE_FACTOR, length);
  const int end = min(begin + COARSE_FACTOR, length);
  int i = count_from_a(a, a_length, b, b_length, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    // TODO 3: a warp should store 32 neighbouring elements. Where can a thread store its elements first?
    output[k] = j >= b_length || (i < a_length && a[i] <= b[j]) ? a[i++] : b[j++];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  // TODO 4: a launch of 0 blocks is an error: when would that happen?
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
