// SPDX-License-Identifier: Apache-2.0
// clean
// Two arrays that are written and read by turns need one barrier a step.
#include "tests/kernels/expect.h"

__global__ void reduce(const float* in, float* out) {
  __shared__ float partial[2][128];
  const int t = threadIdx.x;
  int now = 0;
  partial[0][t] = in[t];
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[1 - now][t] = partial[now][t] + partial[now][t + stride];
    now = 1 - now;
  }
  if (t == 0) *out = partial[now][0];
}

int main() {
  reduce<<<1, 128>>>(OnDevice(Eighths(128)), OnDevice<float>(1));
  FINISH();
  return 0;
}
