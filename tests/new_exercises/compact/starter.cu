// SPDX-License-Identifier: Apache-2.0
//
// compact: the positive elements, in order.

#include "compact.h"

// Counts the positive elements of each block.
__global__ void count_kernel(const int* in, int* counts, int n) {
  // TODO 1: counts[b] = how many of block b's elements are positive. __syncthreads_count adds up a whole
  // block.
}

// Copies each positive element to its place.
__global__ void copy_kernel(const int* in, int* out, const int* counts, int n) {
  // TODO 2: an element's place is how many positive elements stand before it: in earlier blocks, and in its
  // own.
}

int compact(const int* in, int* out, int n) {
  // TODO 3: as many blocks as n elements need, memory for their counts, and the total.
  int* counts = nullptr;
  count_kernel<<<1, 256>>>(in, counts, n);
  copy_kernel<<<1, 256>>>(in, out, counts, n);
  return 0;
}
