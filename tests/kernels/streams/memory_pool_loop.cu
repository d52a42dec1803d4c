// SPDX-License-Identifier: Apache-2.0
// A loop that takes its scratch memory from a pool in each round, as cudaMallocAsync is usually shown.
#include "tests/kernels/expect.h"

__global__ void square(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}
__global__ void add(const float* in, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] += in[i];
}

int main() {
  const int n = 1000, blocks = (n + 127) / 128;
  int is_supported = 0;
  CUDA(cudaDeviceGetAttribute(&is_supported, cudaDevAttrMemoryPoolsSupported, 0));
  ExpectEqual("supported", 0, is_supported, 1);
  cudaMemPool_t pool;
  CUDA(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t threshold = UINT64_MAX;  // The pool keeps all memory that it has.
  CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));

  const std::vector<float> in = Eighths(n);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  float *sum = nullptr, *values = OnDevice(in);
  CUDA(cudaMallocAsync(&sum, n * sizeof(float), stream));
  CUDA(cudaMemsetAsync(sum, 0, n * sizeof(float), stream));
  for (int round = 0; round < 10; ++round) {
    float* scratch = nullptr;
    CUDA(cudaMallocAsync(&scratch, n * sizeof(float), stream));
    square<<<blocks, 128, 0, stream>>>(values, scratch, n);
    add<<<blocks, 128, 0, stream>>>(scratch, sum, n);
    CUDA(cudaFreeAsync(scratch, stream));
  }
  std::vector<float> out(n);
  CUDA(cudaMemcpyAsync(out.data(), sum, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CUDA(cudaFreeAsync(sum, stream));
  CUDA(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, out[i], 10 * in[i] * in[i]);

  std::uint64_t used = 1, reserved = 0;
  CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  ExpectEqual("used", 0, used, 0);
  ExpectEqual("reserved", 0, reserved >= 2 * n * sizeof(float), true);
  CUDA(cudaMemPoolTrimTo(pool, 0));
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(values));
  return Result();
}
