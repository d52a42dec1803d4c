// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: takes a higher compute capability for a higher speed.
#include "pick_device.h"

// Of two devices the one with the higher compute capability is newer.
static int capability(int device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  return 10 * properties.major + properties.minor;
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
    if (best >= 0 && integrated == best_integrated) better = capability(device) > capability(best);
    if (better) {
      best = device;
      best_integrated = integrated;
    }
  }
  return best;
}
