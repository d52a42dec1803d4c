// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. A machine may have several CUDA devices, and device 0 is not always the best one.
// Three places are marked TODO.
//
//   ./warplings check pick_device

#include "pick_device.h"

// Multiprocessors times clock rate in kHz: the cycles of all multiprocessors in one millisecond.
long long cycles(int device) {
  // TODO 1: ask cudaDeviceGetAttribute for both numbers: cudaDevAttrMultiProcessorCount and
  // cudaDevAttrClockRate.
  return 0;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  // TODO 2: how many devices are there?

  int best = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    // TODO 3: can this device be used? Is it better than the best so far?
  }
  return best;
}
