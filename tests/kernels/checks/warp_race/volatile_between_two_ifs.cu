// SPDX-License-Identifier: Apache-2.0
// finding: race, line 12, other 11, object "shared array `part`"
// finding: race, line 19, other 17
// finding: race, line 29
// Lanes read through volatile memory what others of their warp have stored in a branch of their own.
#include "tests/kernels/expect.h"

__global__ void two_ifs(const int* in, int* out) {
  __shared__ volatile int part[16];
  const int t = threadIdx.x;
  if (t < 16) part[t] = in[t];
  if (t >= 16) out[t] = part[t - 16];
}

__global__ void in_global_memory(const int* in, volatile int* part, int* out, int first, int end) {
  const int t = threadIdx.x;
  if (t >= first) part[t] = in[t];
  // The lower half reads what the upper has stored.
  if (t < end) out[t] = part[t + 16];
}

__global__ void reduction(const int* in, int* out) {
  __shared__ volatile int part[32];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncwarp();
#pragma unroll 1
  for (int stride = 16; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
  }
  if (t == 0) *out = part[0];
}

int main() {
  two_ifs<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  in_global_memory<<<1, 32>>>(OnDevice(Integers(32)), OnDevice(Integers(32)), OnDevice<int>(32), 16, 16);
  reduction<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
