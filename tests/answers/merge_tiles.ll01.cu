// SPDX-License-Identifier: Apache-2.0
// mistake: Each thread stores its 8 merged elements straight to output. In one store of a warp, the lanes are 32 bytes
//   apart and touch 32 sectors for 32 elements, and so in each of the 8 steps: 32 sectors are written per 32 elements,
//   where 12 are allowed. The values are right. Shows for every long input.
// want: Which addresses do lanes 0, 1 and 2 store to in the same step of the loop? How many sectors is that for a warp,
//   and how often is each sector written? Where could the 8 elements wait until a warp can store neighbours?

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
  __shared__ int tile[TILE];  // first the elements of a, then those of b
  __shared__ int split[2];
  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);

  // two searches, two threads
  if (threadIdx.x < 2) {
    split[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x == 0 ? tile_begin : tile_end);
  }
  __syncthreads();
  const int a_begin = split[0];
  const int b_begin = tile_begin - a_begin;
  const int count = tile_end - tile_begin;
  const int a_count = split[1] - a_begin;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + k - a_count];
  }
  __syncthreads();

  const int* tile_a = tile;
  const int* tile_b = tile + a_count;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile_a, a_count, tile_b, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    // 8 neighbouring ints per thread are exactly one sector of 32 bytes, so nothing is wasted here.
    output[tile_begin + k] = j >= b_count || (i < a_count && tile_a[i] <= tile_b[j]) ? tile_a[i++] : tile_b[j++];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles > 0) {
    merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
