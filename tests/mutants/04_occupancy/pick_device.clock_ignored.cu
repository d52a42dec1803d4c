// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: counts multiprocessors, however fast they are.
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
static long long cycles(int device) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return multiprocessors;
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
