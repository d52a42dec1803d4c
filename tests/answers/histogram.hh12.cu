// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel runs in a stream of its own, created with cudaStreamNonBlocking, the cudaMemset in the default
//   stream. Nothing orders the two: the kernel may add before counts is set to 0. Nor does anything order the
//   kernel after what fills input, or before what reads counts, in the default stream: cudaStreamDestroy does not
//   wait. The student took the name to mean only that the host does not wait.
// want: Which work does a stream made with cudaStreamNonBlocking wait for? Say what makes the kernel start only
//   after the cudaMemset, and what makes the caller's copy of counts wait for the kernel.

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins) {
  extern __shared__ int copy[];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    copy[b] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += gridDim.x * BLOCK_SIZE) {
    atomicAdd(&copy[input[i]], 1);
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    atomicAdd(&counts[b], copy[b]);
  }
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  cudaMemset(counts, 0, bins * sizeof(int));
  histogram_kernel<<<32, BLOCK_SIZE, bins * sizeof(int), stream>>>(input, counts, length, bins);

  cudaStreamDestroy(stream);
}
