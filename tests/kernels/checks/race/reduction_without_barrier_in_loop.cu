// SPDX-License-Identifier: Apache-2.0
// finding: race, line 14, object "shared array `partial`"
// A tree reduction whose barrier stands before the loop and not in it.
#include "tests/kernels/expect.h"

__global__ void reduce(const float* in, float* out) {
  __shared__ float partial[128];
  const int t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int stride = 64; stride > 0; stride /= 2) {
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }
  if (t == 0) *out = partial[0];
}

int main() {
  reduce<<<1, 128>>>(OnDevice(Eighths(128)), OnDevice<float>(1));
  cudaDeviceSynchronize();
  return 0;
}
