// SPDX-License-Identifier: Apache-2.0
// mistake: a card of its own gets 100,000,000 points more than an integrated device, but cycles may exceed that: an
//   integrated device with 48 multiprocessors at 2,400,000 kHz has 115,200,000 points, a card with 6 at 1,425,000 kHz
//   has 8,550,000 + 100,000,000 = 108,550,000. The integrated device is returned; the card is better by rule 1.
// want: What is the most points that an integrated device can reach, and what is the least that a card can have?
#include "pick_device.h"

static long long attribute(cudaDeviceAttr what, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

// The more points the better; no points where the device is of no use.
static long long points(int device, unsigned long long bytes) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return -1;
  if (properties.totalGlobalMem < bytes) return -1;

  const long long card = properties.integrated ? 0 : 100'000'000;
  return card + attribute(cudaDevAttrMultiProcessorCount, device) * attribute(cudaDevAttrClockRate, device);
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  long long most = -1;
  for (int device = 0; device < count; ++device) {
    const long long p = points(device, bytes);
    if (p > most) {
      most = p;
      best = device;
    }
  }
  return best;
}
