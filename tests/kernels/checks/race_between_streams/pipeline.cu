// SPDX-License-Identifier: Apache-2.0
// clean
// Chunks of one array in four streams: copy in, kernel, copy out, all of a chunk in one stream. First stream
// by stream, then step by step, as courses write it.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int chunk = 300, streams = 4, chunks = 8, n = chunk * chunks;
  int *from = nullptr, *to = nullptr, *in = OnDevice<int>(n), *out = OnDevice<int>(n);
  CUDA(cudaMallocHost(&from, n * sizeof(int)));
  CUDA(cudaHostAlloc(&to, n * sizeof(int), cudaHostAllocDefault));
  for (int i = 0; i < n; ++i) from[i] = i;
  cudaStream_t stream[streams];
  for (cudaStream_t& each : stream) CUDA(cudaStreamCreate(&each));
  const int bytes = chunk * sizeof(int);
  for (int c = 0; c < chunks; ++c) {
    const int at = c * chunk;
    CUDA(cudaMemcpyAsync(in + at, from + at, bytes, cudaMemcpyHostToDevice, stream[c % streams]));
    scale<<<3, 128, 0, stream[c % streams]>>>(in + at, out + at, chunk);
    CUDA(cudaMemcpyAsync(to + at, out + at, bytes, cudaMemcpyDeviceToHost, stream[c % streams]));
  }
  for (cudaStream_t each : stream) CUDA(cudaStreamSynchronize(each));
  for (int i = 0; i < n; ++i) ExpectEqual("to", i, to[i], 2 * i);
  for (int c = 0; c < chunks; ++c) {
    const int at = c * chunk;
    CUDA(cudaMemcpyAsync(in + at, from + at, bytes, cudaMemcpyHostToDevice, stream[c % streams]));
  }
  for (int c = 0; c < chunks; ++c)
    scale<<<3, 128, 0, stream[c % streams]>>>(in + c * chunk, out + c * chunk, chunk);
  for (int c = 0; c < chunks; ++c) {
    const int at = c * chunk;
    CUDA(cudaMemcpyAsync(to + at, out + at, bytes, cudaMemcpyDeviceToHost, stream[c % streams]));
  }
  CUDA(cudaDeviceSynchronize());
  for (cudaStream_t each : stream) CUDA(cudaStreamDestroy(each));
  return Result();
}
