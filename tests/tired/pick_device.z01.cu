// SPDX-License-Identifier: Apache-2.0
// mistake: Memory is compared in whole MiB, both sides rounded down, so that a device with up to 1048575 bytes too few
//   counts as of use. One device of 8589934592 bytes, bytes 8589934593: right is -1, the answer is 0.
// want: The program needs one byte more than a device has in total. What is left of that byte where you compare?
#include <tuple>

#include "pick_device.h"

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// Larger is better. -device last, so that of two equal ones the lower number is the larger key.
using Key = std::tuple<bool, long long, int>;

static Key key(int device) {
  const bool own = attribute(cudaDevAttrIntegrated, device) == 0;
  const long long cycles =
      1LL * attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device);
  return Key(own, cycles, -device);
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  const unsigned long long need_mib = bytes >> 20;

  int best = -1;
  for (int d = count - 1; d >= 0; --d) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    const unsigned long long mib = p.totalGlobalMem >> 20;
    if (mib < need_mib) continue;
    if (best < 0 || key(d) > key(best)) best = d;
  }
  return best;
}
