// SPDX-License-Identifier: Apache-2.0
// A tile of a in ascending and b in descending order is bitonic: ten steps of a sorting network finish it.
#include <limits.h>

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define TILE 1024

// How many of the first `taken` elements of the merged output come from a?
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

__global__ void find_borders(const int* a, int a_length, const int* b, int b_length, int* borders,
                             int tiles) {
  const int tile = blockIdx.x * blockDim.x + threadIdx.x;
  if (tile <= tiles) {
    const int taken = tile == tiles ? a_length + b_length : tile * TILE;
    borders[tile] = count_from_a(a, a_length, b, b_length, taken);
  }
}

__global__ void merge_kernel(const int* a, const int* b, int* output, const int* borders, int length) {
  __shared__ int tile[TILE];
  const int first = blockIdx.x * TILE;
  const int count = min(TILE, length - first);
  const int a_first = borders[blockIdx.x];
  const int a_count = borders[blockIdx.x + 1] - a_first;
  const int b_first = first - a_first;
  const int b_count = count - a_count;
  // What is missing in the last tile is as great as an int can be, so that it comes last.
  for (int k = threadIdx.x; k < TILE; k += BLOCK_SIZE) {
    tile[k] = k < a_count ? a[a_first + k] : TILE - 1 - k < b_count ? b[b_first + TILE - 1 - k] : INT_MAX;
  }
  __syncthreads();
  for (int distance = TILE / 2; distance > 0; distance /= 2) {
    for (int k = threadIdx.x; k < TILE / 2; k += BLOCK_SIZE) {
      const int low = k / distance * 2 * distance + k % distance;
      const int x = tile[low], y = tile[low + distance];
      tile[low] = min(x, y);
      tile[low + distance] = max(x, y);
    }
    __syncthreads();
  }
  for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[first + k] = tile[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  const int tiles = (length - 1) / TILE + 1;
  int* borders = nullptr;
  cudaMalloc(&borders, (tiles + 1) * sizeof(int));
  find_borders<<<tiles / 256 + 1, 256>>>(a, a_length, b, b_length, borders, tiles);
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, b, output, borders, length);
  cudaFree(borders);
}
