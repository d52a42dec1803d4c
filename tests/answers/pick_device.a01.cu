// SPDX-License-Identifier: Apache-2.0
// mistake: compares throughput first and looks at integrated only when the throughput is equal; a card of its own
//   comes first.
// want: A slow card of its own against a fast integrated device: which one does rule 1 choose? Rule 2 counts only
//   among devices that rule 1 finds equal.
#include "pick_device.h"

long long throughput(int device) {
  int sms = 0, khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return (long long)sms * khz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  long long best_speed = 0;
  bool best_integrated = true;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const long long speed = throughput(device);
    const bool integrated = properties.integrated != 0;
    const bool better = speed > best_speed || (speed == best_speed && best_integrated && !integrated);
    if (best == -1 || better) {
      best = device;
      best_speed = speed;
      best_integrated = integrated;
    }
  }
  return best;
}
