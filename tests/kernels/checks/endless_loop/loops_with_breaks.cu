// SPDX-License-Identifier: Apache-2.0
// clean
// Loops that only a break leaves, with barriers in them and parts of warps at work between these.
#include "tests/kernels/expect.h"

__global__ void sum(int* out, int n) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = t;
  int stride = n;
  while (true) {
    __syncthreads();
    if (stride == 0) break;
    if (t < stride) part[t] += part[t + stride];
    stride /= 2;
  }
  if (t == 0) *out = part[0];
}

__global__ void rounds(int* out, int n) {
  const int t = threadIdx.x;
  int round = 0;
  for (;;) {
    if (t % 2 == 0) out[t] += round;
    __syncthreads();
    if (++round < n) continue;
    __syncthreads();
    return;
  }
}

int main() {
  int* out = OnDevice(std::vector<int>(65));
  sum<<<1, 64>>>(out, 32);
  rounds<<<1, 64>>>(out + 1, 5);
  FINISH();
  const auto got = FromDevice(out, 65);
  ExpectEqual("sum", 0, got[0], 63 * 32);
  for (int t = 0; t < 64; ++t) ExpectEqual("rounds", t, got[1 + t], t % 2 == 0 ? 10 : 0);
  return Result();
}
