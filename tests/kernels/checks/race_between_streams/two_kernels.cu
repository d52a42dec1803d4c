// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 12, other 8, access read, object "argument 2"
// One kernel writes what the other reads.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  const int i = threadIdx.x;
  out[i] = i;
}
__global__ void reverse(int* out, const int* in) {
  const int i = threadIdx.x;
  out[i] = in[blockDim.x - 1 - i];
}

int main() {
  const int n = 128;
  int *a = OnDevice<int>(n), *b = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  fill<<<1, n, 0, one>>>(a);
  reverse<<<1, n, 0, two>>>(b, a);
  FINISH();
  return 0;
}
