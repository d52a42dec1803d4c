// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy. A machine often has more than one CUDA device, and device 0 need not be the best.
// Three places are marked TODO.
//
//   ./warplings check pick_device

#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  // TODO 1: cudaDeviceGetAttribute tells both. (cudaDeviceProp has no clockRate any more since CUDA 13.)
  return 0;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  // TODO 2: how many devices are there?

  int best = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    // TODO 3: is this device of use? Is it better than the best so far?
  }
  return best;
}
