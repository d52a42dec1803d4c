// SPDX-License-Identifier: Apache-2.0
// mistake: The doubling steps run over the whole array in global memory, one launch per step. No barrier is needed and
//   the values are right, but 262,144 elements take 18 steps, each with about 8 sectors loaded and 4 stored per 32
//   elements: 144 and 72 where 20 are allowed, and far more than 3.5 instructions per element. Every long input.
// want: How often is every element loaded and stored in all? Which of the additions can a thread do alone, and which
//   can a block do, before anything goes back to global memory?

#include "scan.h"

#include <utility>

// to[i] = from[i] + from[i - distance]
__global__ void add_shifted(const int* from, int* to, int length, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) {
    int sum = from[i];
    if (i >= distance) {
      sum += from[i - distance];
    }
    to[i] = sum;
  }
}

void scan(const int* input, int* output, int length) {
  if (length <= 0) {
    return;
  }
  const int threads = 256;
  const int blocks = (length + threads - 1) / threads;

  // Two buffers, like in the double-buffered scan of the lecture. The end of a kernel is the barrier!
  int* other = nullptr;
  cudaMalloc(&other, sizeof(int) * length);
  cudaMemcpy(other, input, sizeof(int) * length, cudaMemcpyDeviceToDevice);

  int* from = other;
  int* to = output;
  for (unsigned distance = 1; distance < length; distance *= 2) {
    add_shifted<<<blocks, threads>>>(from, to, length, distance);
    std::swap(from, to);
  }
  if (from != output) {
    cudaMemcpy(output, from, sizeof(int) * length, cudaMemcpyDeviceToDevice);
  }
  cudaFree(other);
}
