// SPDX-License-Identifier: Apache-2.0
// mistake: 1. mixes the first two rules into one score: an integrated device gets half its cycles, so that one with
//   more than twice a card's cycles wins against the card. 2. compares memory in whole MiB: a device that lacks less
//   than one MiB counts as large enough.
// want: One card with 10 cycles, one integrated device with 100: who wins by rule 1, and who by your score? Does the
//   second rule ever get a say between these two? (Then: the program needs 1 MiB and 1 byte. Is 1 MiB enough?)
#include <vector>

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
  cudaGetDeviceCount(&count);

  std::vector<long long> score(count, -1);
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if ((properties.totalGlobalMem >> 20) < (bytes >> 20)) continue;

    score[device] = cycles(device);
    if (properties.integrated) score[device] /= 2;  // it has to share its memory
  }

  int best = -1;
  for (int device = 0; device < count; ++device) {
    if (score[device] >= 0 && (best < 0 || score[device] > score[best])) best = device;
  }
  return best;
}
