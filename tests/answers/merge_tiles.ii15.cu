// SPDX-License-Identifier: Apache-2.0
// mistake: The arrays in shared memory are of float (taken over from another exercise). An int above 16,777,216
//   in size does not fit into a float exactly, and mostly comes back rounded, as another int. Small elements come
//   out right.
// want: What is (int)(float)16777217? Which type have the elements, and which type has your tile?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

template <typename T>
__device__ int count_from_a(const T* a, int a_length, const T* b, int b_length, int taken) {
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
  __shared__ float tile[TILE];
  __shared__ float merged[TILE];
  __shared__ int from_a[2];
  const int length = a_length + b_length;
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, length);
  if (threadIdx.x < 2) {
    const int taken = threadIdx.x == 0 ? tile_begin : tile_end;
    from_a[threadIdx.x] = count_from_a(a, a_length, b, b_length, taken);
  }
  __syncthreads();

  const int a_begin = from_a[0];
  const int a_count = from_a[1] - a_begin;
  const int b_begin = tile_begin - a_begin;
  const int count = tile_end - tile_begin;
  const int b_count = count - a_count;
  for (int k = threadIdx.x; k < a_count; k += BLOCK_SIZE) tile[k] = a[a_begin + k];
  for (int k = threadIdx.x; k < b_count; k += BLOCK_SIZE) tile[a_count + k] = b[b_begin + k];
  __syncthreads();

  const float* a_tile = tile;
  const float* b_tile = tile + a_count;
  const int begin = min((int)threadIdx.x * COARSE_FACTOR, count);
  const int end = min(begin + COARSE_FACTOR, count);
  int i = count_from_a(a_tile, a_count, b_tile, b_count, begin);
  int j = begin - i;
  for (int k = begin; k < end; ++k) {
    merged[k] = j >= b_count || (i < a_count && a_tile[i] <= b_tile[j]) ? a_tile[i++] : b_tile[j++];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) {
    output[tile_begin + k] = merged[k];
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  if (tiles == 0) return;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
