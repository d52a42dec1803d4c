// SPDX-License-Identifier: Apache-2.0
// clean
// The other warps wait for a flag that is raised behind the fence.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total, is_zero;
  if (threadIdx.x == 32) is_zero = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    total = 0;
    atomicAdd(&total, in[0]);
    __threadfence_block();
    atomicExch(&is_zero, 1);
  } else if (threadIdx.x >= 32) {
    while (atomicAdd(&is_zero, 0) == 0) {
    }
    __threadfence_block();
    atomicAdd(&total, in[threadIdx.x]);
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}

int main() {
  int* out = OnDevice<int>(1);
  sum_up<<<1, 128>>>(OnDevice(std::vector<int>(128, 1)), out);
  FINISH();
  ExpectEqual("sum", 0, FromDevice(out, 1)[0], 97);
  return Result();
}
