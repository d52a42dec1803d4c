// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access read, object "argument 1"
// The host buffer is pageable: the call may return before the bytes are on the device.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  const std::vector<int> host = Integers(n);
  int *in = OnDevice<int>(n), *out = OnDevice(std::vector<int>(n));
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  CUDA(cudaMemcpyAsync(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, one));
  scale<<<n / 64, 64, 0, two>>>(in, out, n);
  FINISH();
  return 0;
}
