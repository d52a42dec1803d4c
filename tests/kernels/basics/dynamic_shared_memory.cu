// SPDX-License-Identifier: Apache-2.0
// Dynamic shared memory cut into arrays of several types, and more than 48 KB of it after
// cudaFuncSetAttribute; without it the launch is refused.
#include "tests/kernels/expect.h"

__global__ void several_arrays(const float* in, double* out, int n) {
  extern __shared__ double wide[];
  float* narrow = reinterpret_cast<float*>(wide + n);
  char* flags = reinterpret_cast<char*>(narrow + n);
  const int t = threadIdx.x;
  narrow[t] = in[t];
  flags[t] = static_cast<char>(t % 3);
  wide[t] = t * 0.5;
  __syncthreads();
  const int other = n - 1 - t;
  out[t] = wide[other] + narrow[other] + flags[other];
}

__global__ void reverse(const int* in, int* out, int n) {
  extern __shared__ int section[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) section[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = section[n - 1 - i];
}

int main() {
  const int n = 96;
  const std::vector<float> in = Eighths(n);
  float* din = OnDevice(in);
  double* dout = OnDevice<double>(n);
  several_arrays<<<1, n, n*(sizeof(double) + sizeof(float) + 1)>>>(din, dout, n);
  FINISH();
  const auto out = FromDevice(dout, n);
  for (int i = 0; i < n; ++i)
    ExpectEqual("out", i, out[i], (n - 1 - i) * 0.5 + in[n - 1 - i] + (n - 1 - i) % 3);

  const int count = 20000;  // 80,000 bytes
  const std::vector<int> numbers = Integers(count);
  int *from = OnDevice(numbers), *to = OnDevice<int>(count);
  CUDA(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, count * sizeof(int)));
  reverse<<<1, 256, count * sizeof(int)>>>(from, to, count);
  FINISH();
  const auto reversed = FromDevice(to, count);
  for (int i = 0; i < count; ++i) ExpectEqual("reversed", i, reversed[i], numbers[count - 1 - i]);
  cudaFuncAttributes attributes;
  CUDA(cudaFuncGetAttributes(&attributes, reverse));
  ExpectEqual("attribute", 0, attributes.maxDynamicSharedSizeBytes, count * 4);
  return Result();
}
