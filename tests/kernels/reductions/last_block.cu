// SPDX-License-Identifier: Apache-2.0
// A whole sum in one kernel: the block that finishes last, by an atomic ticket after a fence, adds the rest.
#include "tests/kernels/expect.h"

__device__ unsigned tickets = 0;
__device__ volatile float partial_sums[64];

__global__ void sum_all(const float* in, float* out, int count) {
  __shared__ float partial[128];
  __shared__ bool is_last;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial_sums[blockIdx.x] = partial[0];
    __threadfence();
    is_last = atomicInc(&tickets, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b) total += partial_sums[b];
    *out = total;
    tickets = 0;
  }
}

int main() {
  const int count = 9000;
  const std::vector<float> in = Eighths(count, 5);
  float *din = OnDevice(in), *dout = OnDevice<float>(1);
  float wanted = 0;
  for (float value : in) wanted += value;
  for (int run = 0; run < 3; ++run) {
    sum_all<<<20, 128>>>(din, dout, count);
    FINISH();
    ExpectEqual("sum", run, FromDevice(dout, 1)[0], wanted);
  }
  return Result();
}
