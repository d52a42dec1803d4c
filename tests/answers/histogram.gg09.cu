// SPDX-License-Identifier: Apache-2.0
// mistake: The number of blocks is length / share, rounded down. The elements after the last whole share are
//   counted by nobody, and when length is less than one share (8192, or 16 x bins), 0 blocks are launched: the
//   launch fails, nobody looks at the error, and counts is 0 everywhere. The student added the test for the end
//   of the input in the kernel and thought the tail was done with it.
// want: For length 10,000 and 256 bins, how many blocks do you launch, and who counts element 9,000?

#include "histogram.h"

#define BLOCK_SIZE 256

__device__ void clear(int* a, int n) {
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) a[k] = 0;
  __syncthreads();
}

__device__ void add_to(int* to, const int* from, int n) {
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += BLOCK_SIZE) atomicAdd(&to[k], from[k]);
}

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int share) {
  extern __shared__ int copy[];
  clear(copy, bins);

  const int* from = input + blockIdx.x * share;
  const int left = length - blockIdx.x * share;
  for (int i = threadIdx.x; i < share && i < left; i += BLOCK_SIZE) {
    atomicAdd(&copy[from[i]], 1);
  }

  add_to(counts, copy, bins);
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));

  int share = 8192;
  if (share < 16 * bins) share = 16 * bins;
  const int blocks = length / share;
  histogram_kernel<<<blocks, BLOCK_SIZE, bins * sizeof(int)>>>(input, counts, length, bins, share);
}
