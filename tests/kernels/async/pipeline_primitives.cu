// SPDX-License-Identifier: Apache-2.0
// __pipeline_memcpy_async in two stages: the next part is copied while this one is summed.
#include <cuda_pipeline.h>

#include "tests/kernels/expect.h"

constexpr int kThreads = 64;

__global__ void sum_parts(const float4* in, float* out, int parts) {
  __shared__ float4 stage[2][kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  float sum = 0;
  for (int part = 0; part < parts; ++part) {
    if (part + 1 < parts)
      __pipeline_memcpy_async(&stage[(part + 1) % 2][t], &in[(part + 1) * kThreads + t], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 other = stage[part % 2][kThreads - 1 - t];
    sum += other.x + other.y * 2 + other.z * 3 + other.w * 4;
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void small_copies(const int* in, int* out, int n) {
  __shared__ int stage[128];
  const int t = threadIdx.x;
  // What is past the end is filled with zeros.
  __pipeline_memcpy_async(&stage[t], &in[t < n ? t : 0], sizeof(int), t < n ? 0 : sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = stage[127 - t];
}

int main() {
  const int parts = 5;
  const std::vector<float> in = Eighths(parts * kThreads * 4);
  float *din = OnDevice(in), *dout = OnDevice<float>(kThreads);
  sum_parts<<<1, kThreads>>>(reinterpret_cast<float4*>(din), dout, parts);
  FINISH();
  const auto out = FromDevice(dout, kThreads);
  for (int t = 0; t < kThreads; ++t) {
    float sum = 0;
    for (int part = 0; part < parts; ++part)
      for (int k = 0; k < 4; ++k) sum += in[(part * kThreads + kThreads - 1 - t) * 4 + k] * (k + 1);
    ExpectEqual("sum", t, out[t], sum);
  }
  const std::vector<int> numbers = Integers(100);
  int *from = OnDevice(numbers), *to = OnDevice<int>(128);
  small_copies<<<1, 128>>>(from, to, 100);
  FINISH();
  const auto copied = FromDevice(to, 128);
  for (int t = 0; t < 128; ++t) ExpectEqual("copied", t, copied[t], 127 - t < 100 ? numbers[127 - t] : 0);
  return Result();
}
