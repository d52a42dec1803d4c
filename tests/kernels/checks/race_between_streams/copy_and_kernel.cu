// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access read, object "argument 1"
// A copy in one blocking stream, the kernel that needs it in another.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = OnDevice<int>(n), *out = OnDevice<int>(n), *host = nullptr;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
  scale<<<n / 64, 64, 0, two>>>(in, out, n);
  FINISH();
  return 0;
}
