// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) Rule 1 works in one direction only: a card replaces an integrated device, but an integrated device
//   with more cycles that comes later replaces the card, too. (2) Memory is compared in whole MiB, and what is needed is
//   rounded down: with bytes one more than a device has, the device still seems large enough.
// want: Device 0 is a slow card, device 1 integrated and fast: which of your three conditions is true for device 1? And
//   a device with 8 GiB: what do you answer for 8 GiB and 1 byte?
#include "pick_device.h"

constexpr unsigned long long kMiB = 1024 * 1024;

long long cycles(int device) {
  int mp = 0, clock = 0;
  cudaDeviceGetAttribute(&mp, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return 1LL * mp * clock;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  const unsigned long long needed_mib = bytes / kMiB;

  int best = -1;
  long long most = 0;
  int best_integrated = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);

    const unsigned long long has_mib = properties.totalGlobalMem / kMiB;
    if (has_mib < needed_mib) continue;  // too small

    const long long now = cycles(device);
    // first one, or a real card instead of an integrated one, or faster
    if (best < 0 || (best_integrated && !properties.integrated) || now > most) {
      best = device;
      most = now;
      best_integrated = properties.integrated;
    }
  }
  return best;
}
