// SPDX-License-Identifier: Apache-2.0
// mistake: The launch asks for 65,536 bytes of dynamic shared memory. Without cudaFuncSetAttribute(...,
//   cudaFuncAttributeMaxDynamicSharedMemorySize, ...) a kernel gets 49,152 bytes at most: the launch fails, no element
//   of output is written, and nobody looks at the error. Shows for every input that is not empty.
// want: What does cudaGetLastError() say after your launch? How many bytes of shared memory do you ask for, and how
//   many may a kernel have without further ado? Does a block need two arrays of 8192 ints?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 32  // larger tiles: fewer searches in global memory
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

// How many of the first `taken` elements of the output come from a? The others come from b. If a[middle] <=
// b[taken - 1 - middle], then a[middle] comes before that element of b, so at least middle + 1 come from a.
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
  // The compiler refuses static arrays of this size ("uses too much shared data"), so they are dynamic.
  extern __shared__ int memory[];
  int* tile = memory;
  int* merged = memory + TILE;
  __shared__ int split[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  const int count = tile_end - tile_begin;

  if (threadIdx.x < 2) {
    split[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x == 0 ? tile_begin : tile_end);
  }
  __syncthreads();
  const int a_begin = split[0];
  const int a_count = split[1] - split[0];
  const int b_begin = tile_begin - a_begin;
  const int b_count = count - a_count;
  int* tile_b = tile + a_count;

  for (int k = threadIdx.x; k < a_count; k += blockDim.x) tile[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < b_count; k += blockDim.x) tile_b[k] = b[b_begin + k];
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile_b, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    if (j >= b_count || (i < a_count && tile[i] <= tile_b[j])) {
      merged[k] = tile[i++];
    } else {
      merged[k] = tile_b[j++];
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += blockDim.x) output[tile_begin + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;
  const size_t bytes = 2 * TILE * sizeof(int);
  merge_kernel<<<tiles, BLOCK_SIZE, bytes>>>(a, a_length, b, b_length, output);
}
