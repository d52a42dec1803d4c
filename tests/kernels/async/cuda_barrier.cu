// SPDX-License-Identifier: Apache-2.0
// cuda::barrier in shared memory: arrive and wait apart, tokens, a completion by phases, memcpy_async.
#include <cuda/barrier>

#include "tests/kernels/expect.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void exchange(const int* in, int* out, int rounds) {
  __shared__ int values[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = in[t];
  for (int round = 0; round < rounds; ++round) {
    values[t] = value;
    Barrier::arrival_token token = barrier.arrive();
    value *= 3;
    barrier.wait(std::move(token));
    value += values[(t + 1) % 64];
    barrier.arrive_and_wait();
  }
  out[t] = value;
}

__global__ void copy_block(const int* in, int* out) {
  __shared__ alignas(16) int values[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&values[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = values[63 - threadIdx.x];
}

int main() {
  std::vector<int> in = Integers(64);
  for (int& value : in) value &= 0xff;
  int *din = OnDevice(in), *dout = OnDevice<int>(64);
  copy_block<<<1, 64>>>(din, dout);
  FINISH();
  auto out = FromDevice(dout, 64);
  for (int t = 0; t < 64; ++t) ExpectEqual("copied", t, out[t], in[63 - t]);
  exchange<<<1, 64>>>(din, dout, 4);
  FINISH();
  for (int round = 0; round < 4; ++round) {
    const std::vector<int> before = in;
    for (int t = 0; t < 64; ++t) in[t] = before[t] * 3 + before[(t + 1) % 64];
  }
  out = FromDevice(dout, 64);
  for (int t = 0; t < 64; ++t) ExpectEqual("exchanged", t, out[t], in[t]);
  return Result();
}
