// SPDX-License-Identifier: Apache-2.0
// mistake: converts the clock rate from kHz to whole MHz before it multiplies, so that up to 999 kHz are cut off. Shows
//   where two devices' clocks differ by less than a MHz, or where the cut decides between more multiprocessors and a
//   faster clock: 10 x 1,000,999 kHz against 10 x 1,000,100 kHz become equal, and the lower number wins.
// want: Two cards with the same number of multiprocessors run at 1,000,100 and 1,000,999 kHz. What does cycles() return
//   for each? Where does the difference get lost?
#include "pick_device.h"

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// Megacycles of all multiprocessors in a second.
long long cycles(int device) {
  const int mhz = attribute(cudaDevAttrClockRate, device) / 1000;  // smaller numbers, no overflow
  const int sms = attribute(cudaDevAttrMultiProcessorCount, device);
  return (long long)sms * mhz;
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
    if (properties.totalGlobalMem < bytes) continue;

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
