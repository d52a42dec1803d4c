// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 7, other 7, access write, object "argument 1"
// Two halves that overlap by one element.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int first, int count, int value) {
  if (threadIdx.x < count) out[first + threadIdx.x] = value;
}

int main() {
  const int n = 100;
  int* a = OnDevice<int>(2 * n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  fill<<<1, 128, 0, one>>>(a, 0, n + 1, 1);
  fill<<<1, 128, 0, two>>>(a, n, n, 2);
  FINISH();
  return 0;
}
