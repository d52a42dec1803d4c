// SPDX-License-Identifier: Apache-2.0
// mistake: the clock rate is turned into whole GHz by an integer division, so that 1.2 GHz and 1.9 GHz are both 1. Two
//   cards with 40 multiprocessors, device 0 at 1200000 kHz, device 1 at 1900000 kHz: device 1 is better, this returns 0
//   (also 0 GHz for 900000 kHz).
// want: Print the score of a card with 1200000 kHz and of one with 1900000 kHz. Where do they become equal?
#include "pick_device.h"

#include <tuple>

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// (own card?, cycles in a second, -number): the greater the better
using Score = std::tuple<bool, long long, int>;

static Score score_of(int device) {
  const bool discrete = attribute(cudaDevAttrIntegrated, device) == 0;
  const long long sms = attribute(cudaDevAttrMultiProcessorCount, device);
  const long long ghz = attribute(cudaDevAttrClockRate, device) / 1'000'000;
  return {discrete, sms * ghz * 1'000'000'000, -device};
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  Score best_score;
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    if (p.totalGlobalMem < bytes) continue;

    const Score s = score_of(d);
    if (best < 0 || s > best_score) {
      best = d;
      best_score = s;
    }
  }
  return best;
}
