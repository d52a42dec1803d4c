// SPDX-License-Identifier: Apache-2.0
// Inclusive scan after Kogge and Stone in one array, with a barrier between read and write.
#include "tests/kernels/expect.h"

__global__ void scan_block(const float* in, float* out, int count) {
  __shared__ float section[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  section[t] = i < count ? in[i] : 0.0f;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    float sum = section[t];
    if (t >= stride) sum += section[t - stride];
    __syncthreads();
    section[t] = sum;
  }
  if (i < count) out[i] = section[t];
}

int main() {
  const int count = 700;
  const std::vector<float> in = Eighths(count);
  float *din = OnDevice(in), *dout = OnDevice<float>(count);
  scan_block<<<3, 256>>>(din, dout, count);
  FINISH();
  const auto out = FromDevice(dout, count);
  float sum = 0;
  for (int i = 0; i < count; ++i) {
    if (i % 256 == 0) sum = 0;
    ExpectEqual("scan", i, out[i], sum += in[i]);
  }
  return Result();
}
