// SPDX-License-Identifier: Apache-2.0
// mistake: where a card of its own replaces an integrated device, the best cycles so far are not updated, so that later
//   cards are compared with the integrated device's cycles.
// want: Devices: integrated with 1000, a card with 500, a card with 700. With which number do you compare 700, and to
//   which device does it belong? What has to change whenever `best` does?
#include "pick_device.h"

static long long speed(int id) {
  int sms = 0, khz = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, id);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, id);
  return (long long)sms * khz;
}

int pick_device(unsigned long long bytes) {
  int n = 0;
  cudaGetDeviceCount(&n);

  int best = -1;
  bool best_is_card = false;
  long long best_speed = 0;

  for (int id = 0; id < n; ++id) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, id);
    if (p.totalGlobalMem < bytes) continue;  // too small

    const bool is_card = !p.integrated;
    const long long s = speed(id);

    if (best == -1) {
      // the first one that is big enough
      best = id;
      best_is_card = is_card;
      best_speed = s;
    } else if (is_card && !best_is_card) {
      // rule 1
      best = id;
      best_is_card = true;
    } else if (is_card == best_is_card && s > best_speed) {
      // rule 2, and by > also rule 3
      best = id;
      best_speed = s;
    }
  }
  return best;
}
