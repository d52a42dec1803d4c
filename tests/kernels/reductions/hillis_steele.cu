// SPDX-License-Identifier: Apache-2.0
// Inclusive scan of a block after Hillis and Steele, double-buffered in shared memory.
#include "tests/kernels/expect.h"

__global__ void scan_block(const int* in, int* out) {
  __shared__ int buffer[2][512];
  const int t = threadIdx.x;
  int from = 0;
  buffer[0][t] = in[t];
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= stride ? buffer[from][t - stride] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[t] = buffer[from][t];
}

int main() {
  for (int count : {1, 32, 200, 512}) {
    const std::vector<int> in = Integers(count, count);
    int *din = OnDevice(in), *dout = OnDevice<int>(count);
    scan_block<<<1, count>>>(din, dout);
    FINISH();
    const auto out = FromDevice(dout, count);
    unsigned sum = 0;
    for (int i = 0; i < count; ++i) ExpectEqual("scan", i, out[i], static_cast<int>(sum += in[i]));
  }
  return Result();
}
