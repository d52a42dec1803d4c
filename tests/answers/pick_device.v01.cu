// SPDX-License-Identifier: Apache-2.0
// mistake: an integrated device never replaces a card, but a card replaces an integrated device only where it has more
//   cycles. Device 0 integrated with 16 x 1,300,000, device 1 a card with 10 x 1,500,000 (less): the answer must be
//   1, the student returns 0. In the other order of the two it is right.
// want: Let device 0 be an integrated device, and device 1 a small, slow card. Follow your loop: which of your lines
//   says that the card is better?
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int sms = 0, khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return (long long)sms * khz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  bool have_card = false;
  long long best_cycles = -1;

  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (properties.totalGlobalMem < bytes) continue;

    const bool card = properties.integrated == 0;
    if (have_card && !card) continue;

    const long long c = cycles(device);
    if (c > best_cycles) {
      best = device;
      best_cycles = c;
      have_card = card;
    }
  }
  return best;
}
