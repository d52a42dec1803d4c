// SPDX-License-Identifier: Apache-2.0
// mistake: For a short cut, the host function reads a[a_length - 1], b[0] and so on. a and b are in device memory:
//   the CPU may not read there, and on a real GPU the program crashes as soon as both arrays have an element. The
//   kernel itself is right.
// want: On which processor does the line with a[a_length - 1] run? Whose memory does a point into?

#include "merge_tiles.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define TILE (BLOCK_SIZE * COARSE_FACTOR)

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
  __shared__ int a_bounds[2];
  const int tile_begin = blockIdx.x * TILE;
  const int tile_end = min(tile_begin + TILE, a_length + b_length);
  const int n = tile_end - tile_begin;
  if (threadIdx.x < 2) {
    a_bounds[threadIdx.x] = count_from_a(a, a_length, b, b_length, threadIdx.x ? tile_end : tile_begin);
  }
  __syncthreads();

  const int na = a_bounds[1] - a_bounds[0];
  a += a_bounds[0];
  b += tile_begin - a_bounds[0];
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) tile[k] = k < na ? a[k] : b[k - na];
  __syncthreads();

  int k = min((int)threadIdx.x * COARSE_FACTOR, n);
  const int end = min(k + COARSE_FACTOR, n);
  int i = count_from_a(tile, na, tile + na, n - na, k);
  int j = na + k - i;
  for (; k < end; ++k) {
    merged[k] = j >= n || (i < na && tile[i] <= tile[j]) ? tile[i++] : tile[j++];
  }
  __syncthreads();
  for (int m = threadIdx.x; m < n; m += BLOCK_SIZE) output[tile_begin + m] = merged[m];
}

// x, then y
static void concatenate(const int* x, int x_length, const int* y, int y_length, int* output) {
  cudaMemcpy(output, x, x_length * sizeof(int), cudaMemcpyDeviceToDevice);
  cudaMemcpy(output + x_length, y, y_length * sizeof(int), cudaMemcpyDeviceToDevice);
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  // easy cases first: nothing to merge if one array ends before the other begins
  if (a_length == 0 || b_length == 0 || a[a_length - 1] <= b[0]) {
    concatenate(a, a_length, b, b_length, output);
    return;
  }
  if (b[b_length - 1] <= a[0]) {
    concatenate(b, b_length, a, a_length, output);
    return;
  }
  const int tiles = (a_length + b_length + TILE - 1) / TILE;
  merge_kernel<<<tiles, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
