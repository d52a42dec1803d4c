// SPDX-License-Identifier: Apache-2.0
// Sum by a tree of interleaved pairs in shared memory, with divergence; one partial sum a block.
#include "tests/kernels/expect.h"

__global__ void reduce_interleaved(const int* in, int* out, int count) {
  __shared__ int partial[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < count ? in[i] : 0;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
  const int count = 2000, blocks = 8;
  const std::vector<int> in = Integers(count);
  int *din = OnDevice(in), *dout = OnDevice<int>(blocks);
  reduce_interleaved<<<blocks, 256>>>(din, dout, count);
  FINISH();
  const auto out = FromDevice(dout, blocks);
  for (int b = 0; b < blocks; ++b) {
    unsigned sum = 0;
    for (int i = b * 256; i < count && i < b * 256 + 256; ++i) sum += in[i];
    ExpectEqual("sum", b, out[b], static_cast<int>(sum));
  }
  return Result();
}
