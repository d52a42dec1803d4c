// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: turns the clock rate from kHz into whole GHz before it is multiplied.
#include "pick_device.h"

// Multiprocessors times clock rate (in GHz).
static long long cycles(int device) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  int clock = 0;
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return static_cast<long long>(multiprocessors) * (clock / 1000000);
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
    bool better = best < 0;
    if (best >= 0 && integrated != best_integrated) better = best_integrated;
    if (best >= 0 && integrated == best_integrated) better = cycles(device) > cycles(best);
    if (better) {
      best = device;
      best_integrated = integrated;
    }
  }
  return best;
}
