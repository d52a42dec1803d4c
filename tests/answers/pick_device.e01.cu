// SPDX-License-Identifier: Apache-2.0
// mistake: both sizes are cut down to whole MiB before they are compared; a device that has up to a MiB less than
//   what is asked for counts as large enough.
// want: What do you compare if the device has 4 GiB exactly and the program asks for one byte more?

#include "pick_device.h"

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  return static_cast<long long>(attribute(cudaDevAttrMultiProcessorCount, device)) *
         attribute(cudaDevAttrClockRate, device);
}

static unsigned long long to_mb(unsigned long long bytes) {
  return bytes >> 20;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  bool best_own = false;
  long long best_cycles = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);

    // in MB, so that the numbers stay small
    if (to_mb(properties.totalGlobalMem) < to_mb(bytes)) continue;

    const bool own = properties.integrated == 0;
    const long long c = cycles(device);
    bool better;
    if (best == -1) {
      better = true;
    } else if (own != best_own) {
      better = own;
    } else {
      better = c > best_cycles;
    }

    if (better) {
      best = device;
      best_own = own;
      best_cycles = c;
    }
  }
  return best;
}
