// SPDX-License-Identifier: Apache-2.0
// clean
// The kernel runs long after cudaFreeAsync was called, and yet before it in the stream.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 64;
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *values = nullptr, *again = nullptr;
  CUDA(cudaMallocAsync(&values, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(values, n);
  CUDA(cudaFreeAsync(values, stream));
  CUDA(cudaMallocAsync(&again, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(again, n);
  CUDA(cudaFreeAsync(again, stream));
  CUDA(cudaStreamSynchronize(stream));
  return 0;
}
