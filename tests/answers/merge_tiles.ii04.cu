// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: every thread searches its own place in the global arrays, as in the starter, before the
//   tile is in shared memory. The lanes search near each other but in different sectors: about 60 sectors per 32
//   elements. The limit is 16, for long inputs. Values, stores and instructions are fine.
// want: Once the tile is in shared memory, where can a thread search for its 8 elements? How many searches in
//   global memory does a block need then?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
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
  __shared__ int tile[TILE];
  __shared__ int a_bounds[2];

  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  const int begin = min(tile_begin + (int)threadIdx.x * COARSE_FACTOR, length);
  const int end = min(begin + COARSE_FACTOR, length);

  // where do I start?
  int i = count_from_a(a, a_length, b, b_length, begin);
  int j = begin - i;
  if (threadIdx.x == 0) a_bounds[0] = i;
  if (threadIdx.x == BLOCK_SIZE - 1) a_bounds[1] = count_from_a(a, a_length, b, b_length, tile_end);
  __syncthreads();

  // load
  const int a_begin = a_bounds[0], a_count = a_bounds[1] - a_begin;
  const int b_begin = tile_begin - a_begin, b_count = tile_end - a_bounds[1] - b_begin;
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) tile[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) tile[a_count + k] = b[b_begin + k];
  __syncthreads();

  // merge
  i -= a_begin;
  j -= b_begin;
  int mine[COARSE_FACTOR];
  for (int k = 0; k < end - begin; ++k) {
    const bool from_a = j >= b_count || (i < a_count && tile[i] <= tile[a_count + j]);
    mine[k] = from_a ? tile[i++] : tile[a_count + j++];
  }
  __syncthreads();

  // store
  for (int k = 0; k < end - begin; ++k) tile[begin - tile_begin + k] = mine[k];
  __syncthreads();
  for (int k = threadIdx.x; k < tile_end - tile_begin; k += BLOCK_SIZE) output[tile_begin + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  if (a_length + b_length == 0) return;
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
