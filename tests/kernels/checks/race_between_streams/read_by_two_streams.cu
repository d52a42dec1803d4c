// SPDX-License-Identifier: Apache-2.0
// clean
// Two streams read one array and write one each; then the host frees all, and the addresses come again.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  for (int round = 0; round < 3; ++round) {
    int *in = OnDevice(Integers(n)), *a = OnDevice<int>(n), *b = OnDevice<int>(n);
    scale<<<n / 64, 64, 0, one>>>(in, a, n);
    scale<<<n / 64, 64, 0, two>>>(in, b, n);
    CUDA(cudaFree(in));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    cudaStream_t& other = round == 0 ? one : two;
    CUDA(cudaStreamDestroy(other));
    CUDA(cudaStreamCreate(&other));
  }
  return 0;
}
