// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access read, object "argument 1"
// cudaMemset returns before it is done, and a non-blocking stream does not wait for the default stream.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = OnDevice<int>(n), *out = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CUDA(cudaMemset(in, 0, n * sizeof(int)));
  scale<<<n / 64, 64, 0, one>>>(in, out, n);
  FINISH();
  return 0;
}
