// SPDX-License-Identifier: Apache-2.0
// clean
// The same with __syncwarp() between reading and writing.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t < 32) {
    volatile int* v = part;
    int sum = v[t] + v[t + 32];
    for (int step = 16; step > 0; step /= 2) {
      __syncwarp();
      v[t] = sum;
      __syncwarp();
      sum += v[t ^ step];
    }
    if (t == 0) *out = sum;
  }
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
