// SPDX-License-Identifier: Apache-2.0
// finding: use_after_free, line 8, access write
// A kernel uses memory that cudaFreeAsync has freed before it in the same stream.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 64;
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int* values = nullptr;
  CUDA(cudaMallocAsync(&values, n * sizeof(int), stream));
  fill<<<1, n, 0, stream>>>(values, n);
  CUDA(cudaFreeAsync(values, stream));
  fill<<<1, n, 0, stream>>>(values, n);
  cudaStreamSynchronize(stream);
  return 0;
}
