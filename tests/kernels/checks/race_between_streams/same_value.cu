// SPDX-License-Identifier: Apache-2.0
// warning: race_between_streams, line 7, other 7, access write, object "argument 1"
// Two streams raise the same flag.
#include "tests/kernels/expect.h"

__global__ void raise(int* flag) {
  if (threadIdx.x == 0) *flag = 1;
}

int main() {
  int* flag = OnDevice(std::vector<int>(1));
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  raise<<<1, 32, 0, one>>>(flag);
  raise<<<1, 32, 0, two>>>(flag);
  FINISH();
  return 0;
}
