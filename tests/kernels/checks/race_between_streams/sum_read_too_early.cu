// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 10, other 7, access read, object "argument 2"
// A kernel reads a sum to which the other stream still adds.
#include "tests/kernels/expect.h"

__global__ void add(int* sum) {
  atomicAdd(sum, 1);
}
__global__ void divide(float* mean, const int* sum, int n) {
  *mean = float(*sum) / n;
}

int main() {
  int* sum = OnDevice(std::vector<int>(1));
  float* mean = OnDevice<float>(1);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  add<<<2, 64, 0, one>>>(sum);
  divide<<<1, 1, 0, two>>>(mean, sum, 128);
  FINISH();
  return 0;
}
