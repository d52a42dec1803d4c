// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel runs in a non-blocking stream, cudaMemset in the default stream, and nothing makes one wait for
//   the other: the kernel may add before counts is cleared. The caller, who works in the default stream, may also
//   read counts (or write a new input) while the kernel still runs. Any length above 0; depends on timing.
// want: Which work does a stream made with cudaStreamNonBlocking wait for? In which order do memset, kernel and the
//   caller's copy of counts run, and what guarantees it?

#include "histogram.h"

#define BLOCK_SIZE 256

__global__ void histogram_kernel(const int* input, int* counts, int length, int bins, int per_block) {
  __shared__ int copy[4096];
  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) copy[b] = 0;
  __syncthreads();

  int i = blockIdx.x * per_block + threadIdx.x;
  const int end = min((int)(blockIdx.x + 1) * per_block, length);
  while (i < end) {
    atomicAdd(&copy[input[i]], 1);
    i += BLOCK_SIZE;
  }
  __syncthreads();

  for (int b = threadIdx.x; b < bins; b += BLOCK_SIZE) {
    if (copy[b] != 0) atomicAdd(&counts[b], copy[b]);
  }
}

// A stream of our own: the default stream is slow because it waits for everything else.
static cudaStream_t get_stream() {
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return stream;
}

void histogram(const int* input, int* counts, int length, int bins) {
  cudaMemset(counts, 0, bins * sizeof(int));
  if (length == 0) return;
  const int per_block = bins > 512 ? 32 * bins : 16384;
  const int blocks = (length + per_block - 1) / per_block;
  histogram_kernel<<<blocks, BLOCK_SIZE, 0, get_stream()>>>(input, counts, length, bins, per_block);
}
