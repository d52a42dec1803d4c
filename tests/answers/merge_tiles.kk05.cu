// SPDX-License-Identifier: Apache-2.0
// mistake: Only lane 0 of each warp merges, 256 elements of the tile in a row, while 31 lanes wait. A warp executes a
//   dozen or more instructions for each single element: more than 10 x length in all for a long input whose two parts
//   are mixed. Values are right, loads and stores fine.
// want: How many instructions does your merge loop need for one element? How many lanes work in it? What if each of
//   the 32 lanes merged 8 elements?

#include "merge_tiles.h"

#define WARPS 8
#define BLOCK_SIZE (WARPS * 32)
#define PER_WARP 256
#define TILE (WARPS * PER_WARP)

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
  __shared__ int source[TILE];
  __shared__ int result[TILE];
  __shared__ int bounds[2];
  const int start = blockIdx.x * TILE;
  const int n = min(TILE, a_length + b_length - start);

  if (threadIdx.x == 0) bounds[0] = count_from_a(a, a_length, b, b_length, start);
  if (threadIdx.x == 32) bounds[1] = count_from_a(a, a_length, b, b_length, start + n);
  __syncthreads();
  const int a0 = bounds[0], na = bounds[1] - a0;
  const int b0 = start - a0, nb = n - na;

  for (int k = threadIdx.x; k < na; k += BLOCK_SIZE) source[k] = a[a0 + k];
  for (int k = threadIdx.x; k < nb; k += BLOCK_SIZE) source[na + k] = b[b0 + k];
  __syncthreads();

  // each warp's leader merges the warp's part: no search per thread, only one per warp
  if (threadIdx.x % 32 == 0) {
    const int begin = min((int)(threadIdx.x / 32) * PER_WARP, n);
    const int end = min(begin + PER_WARP, n);
    int i = count_from_a(source, na, source + na, nb, begin);
    int j = begin - i;
    for (int k = begin; k < end; ++k) {
      if (j >= nb) {
        result[k] = source[i++];
      } else if (i >= na) {
        result[k] = source[na + j++];
      } else if (source[i] <= source[na + j]) {
        result[k] = source[i++];
      } else {
        result[k] = source[na + j++];
      }
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) output[start + k] = result[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + TILE - 1) / TILE, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
