// SPDX-License-Identifier: Apache-2.0
// mistake: the first pass asks whether there is any card of its own, also one with too little memory, and the second then
//   leaves out all integrated devices. Device 0 a card with 4 GB, device 1 integrated with 32 GB, bytes 16 GB: the
//   answer is -1 instead of 1. Where some card of its own is large enough, it is right.
// want: which devices are compared by rule 1? Take a small card beside a large integrated device, and a program that
//   fits the second only.
#include "pick_device.h"

#include <vector>

static int attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

long long cycles(int device) {
  return 1LL * attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device);
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  std::vector<bool> card(count);
  bool any_card = false;
  for (int i = 0; i < count; ++i) {
    card[i] = attribute(cudaDevAttrIntegrated, i) == 0;
    any_card = any_card || card[i];
  }

  int best = -1;
  long long fastest = -1;
  for (int i = 0; i < count; ++i) {
    // a card of its own always goes first
    if (any_card && !card[i]) continue;

    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, i);
    if (properties.totalGlobalMem < bytes) continue;

    const long long c = cycles(i);
    if (c > fastest) {
      fastest = c;
      best = i;
    }
  }
  return best;
}
