// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a card counts for more cycles than it has, and an integrated device with very many still
// wins.
#include "pick_device.h"

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
  long long most = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const long long rank = properties.integrated ? cycles(device) : cycles(device) + 1000000000LL;
    if (best < 0 || rank > most) {
      best = device;
      most = rank;
    }
  }
  return best;
}
