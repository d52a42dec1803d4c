// SPDX-License-Identifier: Apache-2.0
// mistake: compares the memory in whole gigabytes; the integer division cuts both sides off, and a device that is up
//   to 1 GB too small passes.
// want: A device with 1.0 GB and a program that needs 1.9 GB: what are both after the division? Compare the bytes.
#include "pick_device.h"

long long throughput(int device) {
  int processors, clock;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return static_cast<long long>(processors) * clock;
}

// true if a is better than b
static bool is_better(int a, int b) {
  int a_integrated = 0, b_integrated = 0;
  cudaDeviceGetAttribute(&a_integrated, cudaDevAttrIntegrated, a);
  cudaDeviceGetAttribute(&b_integrated, cudaDevAttrIntegrated, b);
  if (a_integrated != b_integrated) return b_integrated;
  return throughput(a) > throughput(b);
}

int pick_device(unsigned long long bytes) {
  const unsigned long long GB = 1ull << 30;

  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem / GB >= bytes / GB) {
      if (best < 0 || is_better(device, best)) best = device;
    }
  }
  return best;
}
