// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access read, object "argument 2"
// The copy back is in another stream than the kernel.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = OnDevice(Integers(n)), *out = OnDevice(std::vector<int>(n)), *host = nullptr;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  scale<<<n / 64, 64, 0, one>>>(in, out, n);
  CUDA(cudaMemcpyAsync(host, out, n * sizeof(int), cudaMemcpyDeviceToHost, two));
  FINISH();
  return 0;
}
