// SPDX-License-Identifier: Apache-2.0
// mistake: whether there is a card of its own is asked of all devices, not only of those with enough memory; a card
//   that is too small shuts out the integrated device that would do, and the answer is -1.
// want: A machine has a card with 4 GB and an integrated device with 64 GB, and the program needs 16 GB. Go through
//   your two loops: who is left after each?

#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int multiprocessors = 0;
  int clock = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return (long long)multiprocessors * clock;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  // First: is there a card of its own? Then the integrated ones are out.
  bool any_card = false;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    if (!p.integrated) any_card = true;
  }

  // Then the fastest of the rest. > and not >=, so the lower number stays.
  int best = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    if (p.totalGlobalMem < bytes) continue;
    if (any_card && p.integrated) continue;
    if (best < 0 || cycles(device) > cycles(best)) best = device;
  }
  return best;
}
