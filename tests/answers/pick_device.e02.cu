// SPDX-License-Identifier: Apache-2.0
// mistake: "is a card of its own while the best is none, or has more cycles": the second half also holds for an
//   integrated device, so that one with more cycles takes the place of a card that is the best so far.
// want: The best so far is a card, and now comes an integrated device with more cycles. Which half of your
//   condition holds, and should it?

#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int sms = 0, khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return 1LL * sms * khz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  bool best_integrated = true;
  long long most = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool integrated = properties.integrated != 0;
    const long long now = cycles(device);
    if ((!integrated && best_integrated) || now > most) {
      best = device;
      best_integrated = integrated;
      most = now;
    }
  }
  return best;
}
