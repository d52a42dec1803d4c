// SPDX-License-Identifier: Apache-2.0
// mistake: All goes into one score, in which a card of its own has 100,000,000 more; but cycles (multiprocessors x kHz) can differ by
//   more than that. An integrated device of 48 multiprocessors at 2,500,000 kHz scores 120,000,000, a card of 10 at
//   1,000,000 kHz 110,000,000: the integrated one is chosen, the card is better.
// want: How many cycles must an integrated device have to beat a small card in your score? Are there such devices?
#include "pick_device.h"

static int ask(cudaDeviceAttr what, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

// The higher the better.
static long long score(int device) {
  long long points = ask(cudaDevAttrMultiProcessorCount, device);
  points *= ask(cudaDevAttrClockRate, device);
  if (ask(cudaDevAttrIntegrated, device) == 0) {
    points += 100'000'000;  // nothing an integrated device could make up for
  }
  return points;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  long long high = -1;
  // backwards, and >= lets the lower number win
  for (int device = count - 1; device >= 0; --device) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    if (p.totalGlobalMem < bytes) continue;
    const long long s = score(device);
    if (s >= high) {
      high = s;
      best = device;
    }
  }
  return best;
}
