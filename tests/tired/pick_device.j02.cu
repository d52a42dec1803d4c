// SPDX-License-Identifier: Apache-2.0
// mistake: finds out first whether the machine has any card of its own, whatever its memory, and then passes over all
//   integrated devices. Where every such card is too small and an integrated device is large enough, the answer is -1
//   instead of that device.
// want: A machine has a card with 4 GB and an integrated device with 32 GB; the program needs 8 GB. Which devices are
//   of use? Among which devices is rule 1 to decide, and what does your any_card count?
#include "pick_device.h"

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int processors = 0;
  int khz = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return static_cast<long long>(processors) * khz;
}

static cudaDeviceProp ask(int device) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, device);
  return p;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  // A card always beats an integrated device. So if there is one we need not look at the others.
  bool any_card = false;
  for (int d = 0; d < count; ++d) {
    if (!ask(d).integrated) any_card = true;
  }

  int best = -1;
  long long most = -1;
  for (int d = 0; d < count; ++d) {
    const cudaDeviceProp p = ask(d);
    if (any_card && p.integrated) continue;
    if (p.totalGlobalMem < bytes) continue;

    const long long c = cycles(d);
    if (c > most) {
      most = c;
      best = d;
    }
  }
  return best;
}
