// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: more cycles win over the kind of the device.
#include "pick_device.h"

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
  bool best_integrated = false;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool integrated = properties.integrated != 0;
    const bool better = best < 0 || (best_integrated && !integrated) || cycles(device) > cycles(best);
    if (better) {
      best = device;
      best_integrated = integrated;
    }
  }
  return best;
}
