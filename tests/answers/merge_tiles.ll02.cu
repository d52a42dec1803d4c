// SPDX-License-Identifier: Apache-2.0
// mistake: Every thread searches its own beginning in the whole arrays in global memory, instead of two threads that
//   find the tile and 256 that search in shared memory. Lanes that compare with b[taken - 1 - middle] are 8 ints apart:
//   up to 32 sectors for each load, in some 20 steps per warp, for 256 elements. That is far more than the 16
//   sectors per 32 elements that are allowed. The values are right. Shows for every long input with both arrays long.
// want: How many searches in global memory does a block make, and how many does it need to know its tile? Where else
//   could thread 100 search for its own beginning, once the tile is loaded?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
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
  __shared__ int buffer[TILE];
  __shared__ int first_a, last_a;

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  const int begin = min(tile_begin + (int)threadIdx.x * COARSE_FACTOR, tile_end);
  const int end = min(begin + COARSE_FACTOR, tile_end);

  // Everyone finds out where to start. The first thread's start is also the start of the tile.
  const int start = count_from_a(a, a_length, b, b_length, begin);
  if (threadIdx.x == 0) first_a = start;
  if (threadIdx.x == BLOCK_SIZE - 1) last_a = count_from_a(a, a_length, b, b_length, tile_end);
  __syncthreads();

  const int a_count = last_a - first_a;
  const int b_first = tile_begin - first_a;
  const int b_count = tile_end - tile_begin - a_count;
  int* const sa = buffer;
  int* const sb = buffer + a_count;
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) sa[k] = a[first_a + k];
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) sb[k] = b[b_first + k];
  __syncthreads();

  int i = start - first_a;
  int j = begin - start - b_first;
  int merged[COARSE_FACTOR];
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < end) {
      if (j >= b_count || (i < a_count && sa[i] <= sb[j])) {
        merged[k] = sa[i++];
      } else {
        merged[k] = sb[j++];
      }
    }
  }
  __syncthreads();  // nobody needs the inputs any more: reuse the buffer
#pragma unroll
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < end) buffer[begin + k - tile_begin] = merged[k];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < tile_end - tile_begin; k += BLOCK_SIZE) {
    output[tile_begin + k] = buffer[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + TILE - 1) / TILE, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
