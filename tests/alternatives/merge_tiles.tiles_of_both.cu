// SPDX-License-Identifier: Apache-2.0
// As in books: a block has a long segment, and loads a whole tile of a and one of b for each step of it.
#include "merge_tiles.h"

#define BLOCK_SIZE 128
#define TILE 1024
#define SEGMENT 8192

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

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int a_tile[TILE];
  __shared__ int b_tile[TILE];
  __shared__ int borders[2];
  const int length = a_length + b_length;
  const int segment = blockIdx.x * SEGMENT;
  const int segment_end = min(length - segment, SEGMENT) + segment;
  if (threadIdx.x == 0) {
    borders[0] = count_from_a(a, a_length, b, b_length, segment);
    borders[1] = count_from_a(a, a_length, b, b_length, segment_end);
  }
  __syncthreads();
  const int a_first = borders[0], b_first = segment - a_first;
  const int a_end = borders[1], b_end = segment_end - a_end;

  int a_taken = 0, b_taken = 0;
  for (int done = 0; done < segment_end - segment; done += TILE) {
    const int a_left = min(a_end - a_first - a_taken, TILE);
    const int b_left = min(b_end - b_first - b_taken, TILE);
    for (int k = threadIdx.x; k < a_left; k += BLOCK_SIZE) a_tile[k] = a[a_first + a_taken + k];
    for (int k = threadIdx.x; k < b_left; k += BLOCK_SIZE) b_tile[k] = b[b_first + b_taken + k];
    __syncthreads();

    const int count = min(TILE, segment_end - segment - done);
    const int each = TILE / BLOCK_SIZE;
    const int begin = min(int(threadIdx.x) * each, count), end = min(begin + each, count);
    int i = count_from_a(a_tile, a_left, b_tile, b_left, begin);
    const int i_end = count_from_a(a_tile, a_left, b_tile, b_left, end);
    int j = begin - i;
    const int j_end = end - i_end;
    int merged[TILE / BLOCK_SIZE];
    for (int k = 0; k < each; ++k) {
      if (i < i_end && (j >= j_end || a_tile[i] <= b_tile[j])) {
        merged[k] = a_tile[i++];
      } else if (j < j_end) {
        merged[k] = b_tile[j++];
      }
    }
    const int from_a = count_from_a(a_tile, a_left, b_tile, b_left, count);
    a_taken += from_a;
    b_taken += count - from_a;
    __syncthreads();
    for (int k = begin; k < end; ++k) a_tile[k] = merged[k - begin];
    __syncthreads();
    for (int k = threadIdx.x; k < count; k += BLOCK_SIZE) output[segment + done + k] = a_tile[k];
    __syncthreads();
  }
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length > 0) {
    merge_kernel<<<(length - 1) / SEGMENT + 1, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
  }
}
