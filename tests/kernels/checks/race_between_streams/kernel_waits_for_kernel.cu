// SPDX-License-Identifier: Apache-2.0
// clean
// The second kernel waits for a flag of the first one's: they order themselves.
#include "tests/kernels/expect.h"

__global__ void make(int* value, int* flag) {
  *value = 7;
  __threadfence();
  atomicExch(flag, 1);
}
__global__ void use(const int* value, int* flag, int* out) {
  while (atomicAdd(flag, 0) == 0) continue;
  __threadfence();
  *out = *value;
}

int main() {
  int *value = OnDevice(std::vector<int>(1)), *flag = OnDevice(std::vector<int>(1)), *out = OnDevice<int>(1);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  make<<<1, 1, 0, one>>>(value, flag);
  use<<<1, 1, 0, two>>>(value, flag, out);
  FINISH();
  return 0;
}
