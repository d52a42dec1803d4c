// SPDX-License-Identifier: Apache-2.0
// mistake: Only a cost: each thread stores its 8 merged elements straight to global memory. At each step, the
//   lanes of a warp store at places 8 ints = 32 bytes apart: 32 sectors per 32 elements, and the limit is 12, for
//   long inputs. Values, loads and instructions are fine.
// want: At step k of the last loop, which places of output do lanes 0, 1 and 2 store? How many sectors does the
//   warp write? Where else could the elements wait until neighbouring lanes have neighbouring elements?

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

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + k - a_count];
  }
  __syncthreads();

  const int* a_tile = tile;
  const int* b_tile = tile + a_count;
  const int b_count = count - a_count;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(a_tile, a_count, b_tile, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    output[tile_begin + k] =
        j >= b_count || (i < a_count && a_tile[i] <= b_tile[j]) ? a_tile[i++] : b_tile[j++];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
