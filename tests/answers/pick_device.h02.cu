// SPDX-License-Identifier: Apache-2.0
// mistake: two: memory is compared in whole MiB, both sides rounded down, so that a device that lacks some bytes of
//   the last MiB passes; and among equal devices the last one is taken (>=), where the lower number is better.
// want: A device has 8 MiB exactly and the program needs one byte more: what does your comparison see? And when two
//   cards are the same in every respect, which one is in `best` after the loop?

#include "pick_device.h"

long long cycles(int device) {
  int sms = 0;
  int khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return (long long)sms * khz;
}

struct Score {
  int own_card;
  long long cycles;
};

static bool at_least_as_good(const Score& a, const Score& b) {
  if (a.own_card != b.own_card) return a.own_card > b.own_card;
  return a.cycles >= b.cycles;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  const unsigned long long needed = bytes >> 20;  // MiB

  int best = -1;
  Score best_score = {-1, -1};
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    const unsigned long long memory = (unsigned long long)properties.totalGlobalMem >> 20;
    if (memory < needed) continue;

    const Score score = {properties.integrated ? 0 : 1, cycles(device)};
    if (at_least_as_good(score, best_score)) {
      best = device;
      best_score = score;
    }
  }
  return best;
}
