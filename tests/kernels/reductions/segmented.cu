// SPDX-License-Identifier: Apache-2.0
// Segmented inclusive scan by warps: flags mark where a segment starts.
#include "tests/kernels/expect.h"

__global__ void scan_segments(const int* in, const unsigned char* starts, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = in[i];
  const unsigned flags = __ballot_sync(~0u, starts[i] != 0 || lane == 0);
  const int first = 31 - __clz(flags & (0xffffffffu >> (31 - lane)));
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(~0u, value, offset);
    if (lane - offset >= first) value += other;
  }
  out[i] = value;
}

int main() {
  const int count = 256;
  const std::vector<int> in = Integers(count);
  std::vector<unsigned char> starts(count);
  for (int i = 0; i < count; ++i) starts[i] = in[i] % 5 == 0;
  int *din = OnDevice(in), *dout = OnDevice<int>(count);
  unsigned char* dstarts = OnDevice(starts);
  scan_segments<<<2, 128>>>(din, dstarts, dout);
  FINISH();
  const auto out = FromDevice(dout, count);
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    sum = i % 32 == 0 || starts[i] ? in[i] : sum + in[i];
    ExpectEqual("scan", i, out[i], sum);
  }
  return Result();
}
