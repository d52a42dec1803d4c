// SPDX-License-Identifier: Apache-2.0
// For cuda_gpu_test.cc.
#include <cassert>
#include <cstdio>

__device__ int offset = 5;

extern "C" __global__ void add_offset(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + offset;
}

extern "C" __global__ void fill_shared(int* out, char tag) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = tag * static_cast<int>(threadIdx.x);
  __syncthreads();
  out[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void write_to(int* address) {
  *address = 1;
}

extern "C" __global__ void prints(int number) {
  printf("number %d\n", number);
}

extern "C" __global__ void asserts(int number) {
  assert(number == 7);
}
