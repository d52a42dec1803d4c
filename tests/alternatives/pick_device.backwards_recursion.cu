// SPDX-License-Identifier: Apache-2.0
// differs: recursion from the last device to the first; the comparison is a function of two devices and asks only where
// it must. Byte order mark, Chinese comments.

#include "pick_device.h"

namespace {

// 设备 a 是否不比设备 b 差?a 的编号较小。
bool at_least_as_good(int a, int b) {
  int ia, ib;
  cudaDeviceGetAttribute(&ia, cudaDevAttrIntegrated, a);
  cudaDeviceGetAttribute(&ib, cudaDevAttrIntegrated, b);
  if (!ia != !ib) return !ia;

  int ma, mb, ca, cb;
  cudaDeviceGetAttribute(&ma, cudaDevAttrMultiProcessorCount, a);
  cudaDeviceGetAttribute(&mb, cudaDevAttrMultiProcessorCount, b);
  cudaDeviceGetAttribute(&ca, cudaDevAttrClockRate, a);
  cudaDeviceGetAttribute(&cb, cudaDevAttrClockRate, b);
  return 1LL * ma * ca >= 1LL * mb * cb;
}

int best_from(int device, int count, unsigned long long bytes) {
  if (device == count) return -1;
  const int later = best_from(device + 1, count, bytes);
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess || properties.totalGlobalMem < bytes) return later;
  return later < 0 || at_least_as_good(device, later) ? device : later;
}

}  // namespace

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);
  return best_from(0, count, bytes);
}
