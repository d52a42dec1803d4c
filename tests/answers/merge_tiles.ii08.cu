// SPDX-License-Identifier: Apache-2.0
// mistake: Two shared arrays of TILE / 2 ints, one for the elements of a and one for those of b. A tile has TILE
//   elements in all, but any share of them may come from a: more than half overflow a_part into other shared
//   memory. Shows for nearly all inputs of more than 1024 elements, at the latest where one array is empty.
// want: All elements of a are smaller than all of b. How many elements of a belong to the first tile? For which
//   inputs is it exactly half?

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
  // TILE ints suffice for both
  __shared__ int a_part[TILE / 2];
  __shared__ int b_part[TILE / 2];
  __shared__ int sorted[TILE];
  __shared__ int from_a[2];

  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, a_length + b_length);
  if (threadIdx.x < 2) {
    from_a[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x ? tile_end : tile_begin);
  }
  __syncthreads();

  const int a_begin = from_a[0], a_end = from_a[1];
  const int b_begin = tile_begin - a_begin, b_end = tile_end - a_end;
  for (int k = a_begin + threadIdx.x; k < a_end; k += BLOCK_SIZE) a_part[k - a_begin] = a[k];
  for (int k = b_begin + threadIdx.x; k < b_end; k += BLOCK_SIZE) b_part[k - b_begin] = b[k];
  __syncthreads();

  const int a_count = a_end - a_begin;
  const int b_count = b_end - b_begin;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, a_count + b_count);
  const int end = min(begin + COARSE_FACTOR, a_count + b_count);
  int i = count_from_a(a_part, a_count, b_part, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    sorted[k] = j >= b_count || (i < a_count && a_part[i] <= b_part[j]) ? a_part[i++] : b_part[j++];
  }
  __syncthreads();
  for (int k = threadIdx.x; k < tile_end - tile_begin; k += BLOCK_SIZE) output[tile_begin + k] = sorted[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
