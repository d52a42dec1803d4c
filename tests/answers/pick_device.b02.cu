// SPDX-License-Identifier: Apache-2.0
// mistake: throughput is compared also where the kinds differ: an integrated device with more throughput beats
//   a card of its own that was found before it.
// want: device 0 is a slow card, device 1 a fast integrated device: which rule decides? Throughput counts only
//   where the first rule leaves it open.
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz).
long long throughput(int device) {
  int multiprocessors = 0;
  int clock = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return 1LL * multiprocessors * clock;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  bool best_integrated = false;
  long long best_throughput = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const long long rate = throughput(device);
    if (best < 0 || (best_integrated && !properties.integrated) || rate > best_throughput) {
      best = device;
      best_integrated = properties.integrated != 0;
      best_throughput = rate;
    }
  }
  return best;
}
