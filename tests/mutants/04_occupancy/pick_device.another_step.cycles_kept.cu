// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: where a card takes an integrated device's place, the best cycles so far stay those of the
// latter.
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
  bool best_integrated = false;
  long long best_cycles = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool integrated = properties.integrated != 0;
    if (best >= 0 && best_integrated && !integrated) {
      best = device;
      best_integrated = false;
    } else if (best < 0 || (integrated == best_integrated && cycles(device) > best_cycles)) {
      best = device;
      best_integrated = integrated;
      best_cycles = cycles(device);
    }
  }
  return best;
}
