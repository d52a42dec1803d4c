// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: memory is compared in whole MiB, both rounded down, so that a device of 8 GiB is of use for
//   8 GiB + 1 byte (8192 >= 8192). And an integrated device with more cycles replaces a card of its own: device 0 a card
//   with 10 x 1000000, device 1 integrated with 20 x 1000000: this returns 1, right is 0.
// want: First: does a device with exactly 8 GiB have room for 8 GiB and one byte, and what does your test say? Then: let
//   the best so far be a card, and the next device an integrated one with more cycles. Which of your ifs does it meet?
#include "pick_device.h"

typedef unsigned long long ull;

#define MIB (1ull << 20)

static ull power_of(int dev) {
  int sm, khz;
  cudaDeviceGetAttribute(&sm, cudaDevAttrMultiProcessorCount, dev);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, dev);
  return (ull)sm * khz;
}

int pick_device(unsigned long long bytes) {
  int n;
  cudaGetDeviceCount(&n);

  int best = -1;
  bool bestShared = true;
  ull bestPower = 0;

  for (int dev = 0; dev < n; dev++) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, dev);

    bool enough = prop.totalGlobalMem / MIB >= bytes / MIB;
    if (!enough) continue;

    bool take = false;
    if (best == -1) take = true;
    else if (bestShared && !prop.integrated) take = true;
    else if (power_of(dev) > bestPower) take = true;

    if (take) {
      best = dev;
      bestShared = prop.integrated;
      bestPower = power_of(dev);
    }
  }
  return best;
}
