// SPDX-License-Identifier: Apache-2.0
// One-dimensional convolution: filter in constant memory, halo cells loaded by the first threads.
#include "tests/kernels/expect.h"

constexpr int kRadius = 5, kBlock = 64;
__constant__ float filter[2 * kRadius + 1];

__global__ void convolve(const float* in, float* out, int n) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  tile[threadIdx.x + kRadius] = i < n ? in[i] : 0;
  if (threadIdx.x < kRadius) {
    tile[threadIdx.x] = i >= kRadius ? in[i - kRadius] : 0;
    tile[threadIdx.x + kRadius + kBlock] = i + kBlock < n ? in[i + kBlock] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int k = 0; k <= 2 * kRadius; ++k) sum += tile[threadIdx.x + k] * filter[k];
  out[i] = sum;
}

int main() {
  const int n = 500;
  const std::vector<float> in = Eighths(n, 1), weights = Eighths(2 * kRadius + 1, 2);
  CUDA(cudaMemcpyToSymbol(filter, weights.data(), sizeof filter));
  float *din = OnDevice(in), *dout = OnDevice<float>(n);
  convolve<<<(n + kBlock - 1) / kBlock, kBlock>>>(din, dout, n);
  FINISH();
  const auto out = FromDevice(dout, n);
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k)
      if (i + k >= 0 && i + k < n) sum += double(in[i + k]) * weights[k + kRadius];
    ExpectEqual("out", i, out[i], sum);
  }
  return Result();
}
