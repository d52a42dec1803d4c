// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 7, access write, object "argument 1"
// A memset in one stream, the kernel that counts in another; both are non-blocking.
#include "tests/kernels/expect.h"

__global__ void count(int* bins, int n) {
  atomicAdd(bins + threadIdx.x % n, 1);
}

int main() {
  const int n = 8;
  int* bins = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CUDA(cudaMemsetAsync(bins, 0, n * sizeof(int), one));
  CUDA(cudaStreamSynchronize(two));
  count<<<1, 64, 0, two>>>(bins, n);
  CUDA(cudaStreamSynchronize(one));
  FINISH();
  return 0;
}
