// SPDX-License-Identifier: Apache-2.0
// mistake: the clock is turned from kHz into whole MHz before the product; what lies behind the MHz is cut off, so
//   that a slightly faster device ties with a slower one (and loses to the lower number), or even falls behind.
// want: Two devices with 80 multiprocessors each, 1 410 000 kHz and 1 410 900 kHz: which one should win, and what do
//   both get from your cycles()?

#include "pick_device.h"

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

long long cycles(int device) {
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
  const int mhz = attribute(cudaDevAttrClockRate, device) / 1000;  // smaller numbers, no overflow
  return 1LL * multiprocessors * mhz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  bool best_is_card = false;
  long long best_cycles = 0;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool card = properties.integrated == 0;
    const long long c = cycles(device);
    bool better = best < 0;
    if (!better && card != best_is_card) {
      better = card;
    } else if (!better) {
      better = c > best_cycles;
    }
    if (better) {
      best = device;
      best_is_card = card;
      best_cycles = c;
    }
  }
  return best;
}
