// SPDX-License-Identifier: Apache-2.0
// mistake: divides the clock rate by 1000 in integers, to have MHz, before it multiplies: two devices whose clocks differ
//   by less than 1 MHz tie, and the lower number wins although the other has more cycles (46 multiprocessors at
//   1,590,000 kHz and 46 at 1,590,500 kHz); with different numbers of multiprocessors the order may even be reversed.
// want: 1,590,000 kHz and 1,590,500 kHz: what is left of the difference after / 1000? Compare in the unit that the
//   attribute has.
#include "pick_device.h"

// SMs x MHz
long long cycles(int device) {
  int sms = 0;
  int khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  const int mhz = khz / 1000;  // keeps the product small
  return static_cast<long long>(sms) * mhz;
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

    const bool is_card = !properties.integrated;
    const long long c = cycles(device);

    bool take = false;
    if (best == -1) {
      take = true;
    } else if (is_card != best_is_card) {
      take = is_card;
    } else {
      take = c > best_cycles;
    }

    if (take) {
      best = device;
      best_is_card = is_card;
      best_cycles = c;
    }
  }
  return best;
}
