// SPDX-License-Identifier: Apache-2.0
// clean
// Zeros for what is outside.
#include "tests/kernels/expect.h"

__global__ void sum_tile(const float* in, float* out, int n) {
  __shared__ float tile[32];
  const int t = threadIdx.x;
  tile[t] = t < n ? in[t] : 0.0f;
  __syncthreads();
  const float other = tile[31 - t];
  out[t] = other;
}

int main() {
  sum_tile<<<1, 32>>>(OnDevice(Eighths(20)), OnDevice<float>(32), 20);
  FINISH();
  return 0;
}
