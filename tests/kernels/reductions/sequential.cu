// SPDX-License-Identifier: Apache-2.0
// Sum, minimum and maximum by sequential addressing, two elements a thread at the load, dynamic shared
// memory, the operation a template argument.
#include "tests/kernels/expect.h"

struct Add {
  __host__ __device__ static float neutral() { return 0; }
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
struct Least {
  __host__ __device__ static float neutral() { return INFINITY; }
  __host__ __device__ float operator()(float a, float b) const { return fminf(a, b); }
};
struct Most {
  __host__ __device__ static float neutral() { return -INFINITY; }
  __host__ __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

template <class Op>
__global__ void reduce_sequential(const float* in, float* out, int count) {
  extern __shared__ float partial[];
  const Op op;
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float value = i < count ? in[i] : Op::neutral();
  if (i + blockDim.x < count) value = op(value, in[i + blockDim.x]);
  partial[t] = value;
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] = op(partial[t], partial[t + stride]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

template <class Op>
void Test(const char* name) {
  const int count = 1111, threads = 128, blocks = 5;
  const std::vector<float> in = Eighths(count);
  float *din = OnDevice(in), *dout = OnDevice<float>(blocks);
  reduce_sequential<Op><<<blocks, threads, threads * sizeof(float)>>>(din, dout, count);
  FINISH();
  const auto out = FromDevice(dout, blocks);
  for (int b = 0; b < blocks; ++b) {
    float wanted = Op::neutral();
    for (int i = b * 256; i < count && i < b * 256 + 256; ++i) wanted = Op()(wanted, in[i]);
    ExpectEqual(name, b, out[b], wanted);
  }
}

int main() {
  Test<Add>("sum");
  Test<Least>("least");
  Test<Most>("most");
  return Result();
}
