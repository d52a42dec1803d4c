// SPDX-License-Identifier: Apache-2.0
// mistake: The array for the results of the searches is allocated once, as large as the first call needs. A later
//   call with more tiles writes behind its end: illegal writes, or other arrays are overwritten. Shows where a
//   longer input follows a shorter one; each call alone is right.
// want: The first call has length 10, the second 1,000,000. How many ints does splits have in the second call, and
//   how many are written?

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

__global__ void find_splits(const int* a, int a_length, const int* b, int b_length, int* splits, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t <= tiles) splits[t] = count_from_a(a, a_length, b, b_length, min(t * TILE, a_length + b_length));
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output,
                             const int* splits) {
  __shared__ int tile[TILE];
  const int tile_begin = blockIdx.x * TILE;
  const int count = min(TILE, a_length + b_length - tile_begin);
  const int a_begin = splits[blockIdx.x];
  const int a_count = splits[blockIdx.x + 1] - a_begin;
  const int b_begin = tile_begin - a_begin;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + k - a_count];
  }
  __syncthreads();

  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(tile, a_count, tile + a_count, b_count, begin);
  int j = begin - i;
  int merged[COARSE_FACTOR];
  for (int k = 0; k < end - begin; ++k) {
    merged[k] = j >= b_count || (i < a_count && tile[i] <= tile[a_count + j]) ? tile[i++] : tile[a_count + j++];
  }
  __syncthreads();
  for (int k = 0; k < end - begin; ++k) tile[begin + k] = merged[k];
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[tile_begin + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  // cudaMalloc is slow, so only once
  static int* splits = nullptr;
  if (splits == nullptr) cudaMalloc(&splits, (tiles + 1) * sizeof(int));
  find_splits<<<(tiles + 1 + 127) / 128, 128>>>(a, a_length, b, b_length, splits, tiles);
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output, splits);
}
