// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: takes the first device that has the memory.
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
static long long cycles(int device) {
  int multiprocessors = 0;
  int clock = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return static_cast<long long>(multiprocessors) * clock;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    if (best < 0) best = device;
  }
  return best;
}
