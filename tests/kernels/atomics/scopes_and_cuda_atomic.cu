// SPDX-License-Identifier: Apache-2.0
// Atomics of block and system scope, and cuda::atomic_ref with its memory orders.
#include <cuda/atomic>

#include "tests/kernels/expect.h"

__global__ void scopes(int* values, unsigned long long* wide) {
  atomicAdd_block(&values[blockIdx.x], 1);
  atomicAdd_system(&values[2], 2);
  atomicMax_system(&values[3], static_cast<int>(threadIdx.x));
  atomicAdd(wide, 1ull << 33);
  cuda::atomic_ref<int, cuda::thread_scope_device> device(values[4]);
  device.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_system> system(values[5]);
  system.fetch_or(1 << (threadIdx.x % 8), cuda::memory_order_acq_rel);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> big(wide[1]);
  big.fetch_max(threadIdx.x * 10000000000ull);
}

__global__ void hand_over(int* data, int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *data = 99;
    ready.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    *out = *data;
  }
}

int main() {
  int* values = OnDevice(std::vector<int>(6));
  unsigned long long* wide = OnDevice(std::vector<unsigned long long>(2));
  scopes<<<2, 64>>>(values, wide);
  FINISH();
  const auto got = FromDevice(values, 6);
  const int wanted[] = {64, 64, 256, 63, 128, 255};
  for (int i = 0; i < 6; ++i) ExpectEqual("value", i, got[i], wanted[i]);
  ExpectBits("wide", 0, FromDevice(wide, 2)[0], 128ull << 33);
  ExpectBits("wide", 1, FromDevice(wide, 2)[1], 630000000000ull);
  int *data = OnDevice(std::vector<int>(1)), *flag = OnDevice(std::vector<int>(1)), *out = OnDevice<int>(1);
  hand_over<<<2, 32>>>(data, flag, out);
  FINISH();
  ExpectEqual("handed over", 0, FromDevice(out, 1)[0], 99);
  return Result();
}
