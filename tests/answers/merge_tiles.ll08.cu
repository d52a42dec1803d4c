// SPDX-License-Identifier: Apache-2.0
// mistake: The array for the splits is allocated in the first call only, as large as that call needs, and kept for all
//   later ones. A later call with more tiles writes and reads behind the end of it. Shows in the second call,
//   if it has more tiles than the first.
// want: Call merge_tiles with 10 elements, and then with a million. How many ints does splits have in each call, and
//   how many does find_splits write?

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

// One thread per border between two tiles. splits[t] = how many elements before tile t come from a.
__global__ void find_splits(const int* a, int a_length, const int* b, int b_length, int* splits, int tiles) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t <= tiles) {
    const int taken = min(t * TILE, a_length + b_length);
    splits[t] = count_from_a(a, a_length, b, b_length, taken);
  }
}

__global__ void merge_kernel(const int* a, const int* b, int length, const int* splits, int* output) {
  __shared__ int tile[TILE];

  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  const int count = tile_end - tile_begin;
  const int a_begin = splits[blockIdx.x];
  const int a_count = splits[blockIdx.x + 1] - a_begin;
  const int b_begin = tile_begin - a_begin;
  const int b_count = count - a_count;

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_begin + k] : b[b_begin + k - a_count];
  }
  __syncthreads();

  const int* ta = tile;
  const int* tb = tile + a_count;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  int i = count_from_a(ta, a_count, tb, b_count, begin);
  int j = begin - i;
  int values[COARSE_FACTOR];
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < count) {
      const bool use_a = j >= b_count || (i < a_count && ta[i] <= tb[j]);
      values[k] = use_a ? ta[i++] : tb[j++];
    }
  }
  __syncthreads();
  for (int k = 0; k < COARSE_FACTOR; ++k) {
    if (begin + k < count) tile[begin + k] = values[k];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    output[tile_begin + k] = tile[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length + TILE - 1) / TILE;

  // cudaMalloc is slow: do it once.
  static int* splits = nullptr;
  if (splits == nullptr) {
    cudaMalloc(&splits, (tiles + 1) * sizeof(int));
  }

  find_splits<<<(tiles + 1 + 127) / 128, 128>>>(a, a_length, b, b_length, splits, tiles);
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, b, length, splits, output);
}
