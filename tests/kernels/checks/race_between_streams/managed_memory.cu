// SPDX-License-Identifier: Apache-2.0
// clean
// Managed memory: chunks in two streams, and the host reads after it has waited.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = nullptr, *out = nullptr;
  CUDA(cudaMallocManaged(&in, n * sizeof(int)));
  CUDA(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i;
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  scale<<<1, n / 2, 0, one>>>(in, out, n / 2);
  scale<<<1, n / 2, 0, two>>>(in + n / 2, out + n / 2, n / 2);
  FINISH();
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, out[i], 2 * i);
  return Result();
}
