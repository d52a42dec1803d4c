// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel asks for 64 KiB of dynamic shared memory, two arrays of 8192 ints. Above 48 KiB, a kernel
//   must be allowed to with cudaFuncSetAttribute and cudaFuncAttributeMaxDynamicSharedMemorySize; without it the
//   launch fails, nobody looks at the error, and output is never written. Shows for every length above 0.
// want: What does cudaGetLastError() return after the launch? How much shared memory does the block ask for, and
//   how much may it have without asking the runtime first?

#include "merge_tiles.h"

#define BLOCK_SIZE 1024  // the largest tile = the fewest searches
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
  extern __shared__ int shared[];
  int* tile = shared;
  int* merged = shared + TILE;
  __shared__ int from_a[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  if (threadIdx.x < 2) {
    from_a[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x == 0 ? tile_begin : tile_end);
  }
  __syncthreads();
  const int a_begin = from_a[0];
  const int a_count = from_a[1] - a_begin;
  const int b_begin = tile_begin - a_begin;
  const int count = tile_end - tile_begin;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + k - a_count];
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    merged[k] = j >= b_count || (i < a_count && tile[i] <= tile[a_count + j]) ? tile[i++] : tile[a_count + j++];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[tile_begin + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE, 2 * TILE * sizeof(int)>>>(a, a_length, b, b_length, output);
}
