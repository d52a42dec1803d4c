// SPDX-License-Identifier: Apache-2.0
// clean
// The first thread's zero is ordered by a release, which the other warps acquire; its own addition, which
// comes in between, changes nothing.
#include <cuda/atomic>

#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total, is_zero;
  if (threadIdx.x == 32) is_zero = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(is_zero);
  if (threadIdx.x == 0) {
    total = 0;
    atomicAdd(&total, in[0]);
    flag.store(1, cuda::memory_order_release);
  } else if (threadIdx.x >= 32) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
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
