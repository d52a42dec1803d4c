// SPDX-License-Identifier: Apache-2.0
// mistake: a card of its own gets a bonus of 100,000,000 on its cycles, which is less than the cycles that devices have:
//   an integrated device of 48 multiprocessors at 2,400,000 kHz (115,200,000) beats a card of 6 at 1,400,000
//   (8,400,000 + 100,000,000 = 108,400,000), where the card is to win whatever its cycles are.
// want: What are the cycles of a big integrated device, say 48 multiprocessors at 2.4 GHz, and of a tiny card with your
//   bonus? Which of the contract's rules must never outweigh which?
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int sms, clock;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return 1LL * sms * clock;
}

// One number that says how good a device is.
static long long score(int device, const cudaDeviceProp& p) {
  long long s = cycles(device);
  if (!p.integrated) s += 100000000;  // own memory counts more
  return s;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  long long best_score = -1;
  // backwards, so that of equals the lower number comes last and stays
  for (int device = count; device-- > 0;) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    if (bytes > p.totalGlobalMem) continue;
    const long long s = score(device, p);
    if (s >= best_score) {
      best_score = s;
      best = device;
    }
  }
  return best;
}
