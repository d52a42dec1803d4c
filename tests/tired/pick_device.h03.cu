// SPDX-License-Identifier: Apache-2.0
// mistake: whether there is a card of its own is found out before the memory is looked at; a card that is too small
//   then bars every integrated device, and the answer is -1 where a large enough integrated device is present.
// want: A machine has a card with 4 GB and an integrated device with 64 GB, and the program needs 16 GB. What should
//   come out, and which of your two loops decides otherwise?

#include "pick_device.h"

long long cycles(int device) {
  int n = 0, clock = 0;
  cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return static_cast<long long>(n) * clock;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  cudaDeviceProp properties[8];
  bool any_card = false;
  for (int d = 0; d < count; ++d) {
    cudaGetDeviceProperties(&properties[d], d);
    if (!properties[d].integrated) any_card = true;
  }

  int best = -1;
  for (int d = 0; d < count; ++d) {
    if (any_card && properties[d].integrated) continue;  // rule 1
    if (properties[d].totalGlobalMem < bytes) continue;
    if (best == -1 || cycles(d) > cycles(best)) best = d;  // rules 2 and 3
  }
  return best;
}
