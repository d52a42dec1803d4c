// SPDX-License-Identifier: Apache-2.0
// differs: a bit mask of candidates loses bits rule by rule; devices are asked anew for each rule.

#include "pick_device.h"

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

static unsigned long long memory(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  return properties.totalGlobalMem;
}

static long long speed(int device) {
  return static_cast<long long>(attribute(cudaDevAttrMultiProcessorCount, device)) * attribute(cudaDevAttrClockRate, device);
}

int pick_device(unsigned long long bytes) {
  int devices = 0;
  cudaGetDeviceCount(&devices);

  unsigned left = 0;
  for (int d = 0; d < devices; ++d) left |= static_cast<unsigned>(memory(d) >= bytes) << d;

  unsigned own = 0;
  for (int d = 0; d < devices; ++d) own |= static_cast<unsigned>(attribute(cudaDevAttrIntegrated, d) == 0) << d;
  if (left & own) left &= own;

  long long fastest = -1;
  for (int d = 0; d < devices; ++d)
    if (left >> d & 1 && speed(d) > fastest) fastest = speed(d);
  for (int d = 0; d < devices; ++d)
    if (left >> d & 1 && speed(d) == fastest) return d;
  return -1;
}
