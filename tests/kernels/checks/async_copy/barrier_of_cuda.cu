// SPDX-License-Identifier: Apache-2.0
// clean
// cuda::memcpy_async with a cuda::barrier, which waits for the copies and for the threads.
#include <cuda/barrier>

#include "tests/kernels/expect.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void k(const int* in, int* out) {
  __shared__ int stage[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();
  cuda::memcpy_async(&stage[t], &in[t], cuda::aligned_size_t<4>(sizeof(int)), barrier);
  barrier.arrive_and_wait();
  out[t] = stage[63 - t];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
