// SPDX-License-Identifier: Apache-2.0
// atomicAdd and atomicExch of float and double in global and shared memory.
#include "tests/kernels/expect.h"

template <class T>
__global__ void sum(const T* in, T* out, int count) {
  __shared__ T of_block;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    atomicAdd(&of_block, in[i]);
    atomicAdd(&out[1], in[i]);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(&out[0], of_block);
  atomicExch(reinterpret_cast<float*>(&out[2]), 2.5f);
}

template <class T>
void Test(const char* name) {
  const int count = 1000;
  std::vector<T> in;
  T wanted = 0;
  for (float value : Eighths(count, 3)) in.push_back(value), wanted += value;
  T *din = OnDevice(in), *out = OnDevice(std::vector<T>(3));
  sum<<<4, 64>>>(din, out, count);
  FINISH();
  const auto got = FromDevice(out, 3);
  ExpectEqual(name, 0, got[0], wanted);
  ExpectEqual(name, 1, got[1], wanted);
  float exchanged;
  std::memcpy(&exchanged, &got[2], sizeof exchanged);
  ExpectEqual("exchanged", 0, exchanged, 2.5f);
}

int main() {
  Test<float>("float");
  Test<double>("double");
  return Result();
}
