// SPDX-License-Identifier: Apache-2.0
// Page-locked host memory: asynchronous copies, and mapped memory that a kernel reads and writes itself.
#include "tests/kernels/expect.h"

__global__ void negate(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = -in[i];
}

int main() {
  const int n = 300;
  int *in = nullptr, *out = nullptr, *mapped = nullptr, *of_device = nullptr;
  CUDA(cudaMallocHost(&in, n * sizeof(int)));
  CUDA(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocDefault));
  CUDA(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped));
  CUDA(cudaHostGetDevicePointer(&of_device, mapped, 0));
  for (int i = 0; i < n; ++i) in[i] = i * i;
  int *din = OnDevice<int>(n), *dout = OnDevice<int>(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  CUDA(cudaMemcpyAsync(din, in, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  negate<<<3, 128, 0, stream>>>(din, dout, n);
  CUDA(cudaMemcpyAsync(out, dout, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  negate<<<3, 128, 0, stream>>>(dout, of_device, n);
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, out[i], -i * i);
  for (int i = 0; i < n; ++i) ExpectEqual("mapped", i, mapped[i], i * i);
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFreeHost(in));
  CUDA(cudaFreeHost(out));
  CUDA(cudaFreeHost(mapped));
  return Result();
}
