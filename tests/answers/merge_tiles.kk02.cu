// SPDX-License-Identifier: Apache-2.0
// mistake: Two elements are compared by the sign of their difference. If they are far apart, such as -2,000,000,000
//   and 2,000,000,000, the difference does not fit into an int, and the larger element comes first. Right as long as
//   all elements lie less than 2^31 apart.
// want: What is compare(2000000000, -2000000000)? Which numbers can an int hold, and what does the comparison need?

#include "merge_tiles.h"

#define BLOCK_SIZE 128
#define ITEMS 16
#define TILE (BLOCK_SIZE * ITEMS)

// like strcmp: negative, zero or positive
__device__ int compare(int x, int y) { return x - y; }

__device__ int merge_path(const int* a, int na, const int* b, int nb, int diagonal) {
  int lo = diagonal > nb ? diagonal - nb : 0;
  int hi = diagonal < na ? diagonal : na;
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (compare(a[mid], b[diagonal - 1 - mid]) <= 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

__global__ void merge_kernel(const int* a, int a_length, const int* b, int b_length, int* output) {
  __shared__ int in[TILE];
  __shared__ int out[TILE];
  __shared__ int a_from, a_to;

  const int length = a_length + b_length;
  const int from = blockIdx.x * TILE;
  const int to = min(from + TILE, length);
  if (threadIdx.x == 0) a_from = merge_path(a, a_length, b, b_length, from);
  if (threadIdx.x == 32) a_to = merge_path(a, a_length, b, b_length, to);
  __syncthreads();

  const int na = a_to - a_from;
  const int n = to - from;
  const int b_from = from - a_from;
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) {
    in[k] = k < na ? a[a_from + k] : b[b_from + k - na];
  }
  __syncthreads();

  const int* sa = in;
  const int* sb = in + na;
  const int nb = n - na;
  const int first = threadIdx.x * ITEMS;
  if (first < n) {
    int i = merge_path(sa, na, sb, nb, first);
    int j = first - i;
    for (int k = first; k < first + ITEMS && k < n; ++k) {
      const bool take_a = j >= nb || (i < na && compare(sa[i], sb[j]) <= 0);
      out[k] = take_a ? sa[i++] : sb[j++];
    }
  }
  __syncthreads();

  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) output[from + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + TILE - 1) / TILE, BLOCK_SIZE>>>(a, a_length, b, b_length, output);
}
