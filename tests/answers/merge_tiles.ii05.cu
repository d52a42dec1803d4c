// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: each thread loads 8 neighbouring elements of the tile. At each step, the lanes of a warp
//   load at places 32 bytes apart: 32 sectors per 32 elements. The limit is 16, for long inputs. Values, stores
//   and instructions are fine.
// want: At one step of the loading loop, which elements do lanes 0, 1 and 2 load? It is good for a thread to merge
//   neighbouring elements: must it also load the same ones?

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
  __shared__ int merged[TILE];
  __shared__ int split[2];
  const int tile_begin = blockIdx.x * TILE;
  const int count = min(TILE, a_length + b_length - tile_begin);

  if (threadIdx.x == 0) split[0] = count_from_a(a, a_length, b, b_length, tile_begin);
  if (threadIdx.x == 32) split[1] = count_from_a(a, a_length, b, b_length, tile_begin + count);
  __syncthreads();
  const int a_count = split[1] - split[0];
  const int b_count = count - a_count;

  // every thread loads as many elements as it will merge
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  for (int k = begin; k < end; ++k) {
    if (k < a_count) {
      tile[k] = a[split[0] + k];
    } else {
      tile[k] = b[tile_begin - split[0] + k - a_count];
    }
  }
  __syncthreads();

  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    if (j >= b_count || (i < a_count && tile[i] <= tile[a_count + j])) {
      merged[k] = tile[i];
      ++i;
    } else {
      merged[k] = tile[a_count + j];
      ++j;
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[tile_begin + k] = merged[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
