// SPDX-License-Identifier: Apache-2.0
// mistake: In the tile, each element finds its place by a binary search in the other part, with `<` for both
//   parts. An element of a and an equal one of b get the same place, and the place behind it is not written: it
//   holds garbage. Shows where a and b have equal elements; with all elements different it is right.
// want: Merge a = {5} and b = {5}: which place does each get? How could you decide which of two equal elements
//   comes first?

#include "merge_tiles.h"

constexpr int kThreads = 256;
constexpr int kTile = 2048;

__device__ int co_rank(int k, const int* A, int m, const int* B, int n) {
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    int mid = (low + high) >> 1;
    if (A[mid] <= B[k - 1 - mid]) low = mid + 1;
    else high = mid;
  }
  return low;
}

__device__ int count_smaller(const int* v, int n, int x) {
  int lo = 0, hi = n;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (v[mid] < x) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo;
}

__global__ void merge_kernel(const int* a, int na, const int* b, int nb, int* output) {
  __shared__ int in[kTile];
  __shared__ int out[kTile];
  __shared__ int a0, a1;
  const int first = blockIdx.x * kTile;
  const int last = min(first + kTile, na + nb);
  if (threadIdx.x == 0) {
    a0 = co_rank(first, a, na, b, nb);
    a1 = co_rank(last, a, na, b, nb);
  }
  __syncthreads();

  const int m = a1 - a0;
  const int n = last - first - m;
  int* part_a = in;
  int* part_b = in + m;
  for (int k = threadIdx.x; k < m; k += kThreads) part_a[k] = a[a0 + k];
  for (int k = threadIdx.x; k < n; k += kThreads) part_b[k] = b[first - a0 + k];
  __syncthreads();

  // place in the output = own index + number of smaller elements in the other part
  for (int k = threadIdx.x; k < m; k += kThreads) {
    out[k + count_smaller(part_b, n, part_a[k])] = part_a[k];
  }
  for (int k = threadIdx.x; k < n; k += kThreads) {
    out[k + count_smaller(part_a, m, part_b[k])] = part_b[k];
  }
  __syncthreads();

  for (int k = threadIdx.x; k < m + n; k += kThreads) output[first + k] = out[k];
}

void merge_tiles(const int* a, int a_length, const int* b, int b_length, int* output) {
  const int length = a_length + b_length;
  if (length == 0) return;
  merge_kernel<<<(length + kTile - 1) / kTile, kThreads>>>(a, a_length, b, b_length, output);
}
