// SPDX-License-Identifier: Apache-2.0
// clean
// Kernels of two streams add atomically to the same counters, which were set before.
#include "tests/kernels/expect.h"

__global__ void count(int* bins, int n) {
  atomicAdd(bins + threadIdx.x % n, 1);
}

int main() {
  const int n = 8;
  int* bins = OnDevice(std::vector<int>(n));
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  for (int round = 0; round < 3; ++round) {
    count<<<2, 64, 0, one>>>(bins, n);
    count<<<2, 64, 0, two>>>(bins, n);
  }
  FINISH();
  const std::vector<int> counted = FromDevice(bins, n);
  for (int i = 0; i < n; ++i) ExpectEqual("bins", i, counted[i], 96);
  return 0;
}
