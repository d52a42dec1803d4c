// SPDX-License-Identifier: Apache-2.0
// clean
// The same after cudaMemset.
#include "tests/kernels/expect.h"

__global__ void accumulate(float* sums) {
  sums[threadIdx.x] += 1.0f;
}

int main() {
  float* sums = OnDevice<float>(32);
  CUDA(cudaMemset(sums, 0, 32 * sizeof(float)));
  accumulate<<<1, 32>>>(sums);
  FINISH();
  return 0;
}
