// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: integrated devices are dropped as soon as the machine has any card of its own, even when no such
//   card has the memory (device 0 a card of 4 GiB, device 1 integrated with 32 GiB, 8 GiB needed: right is 1, the
//   answer is -1). And the clock rate is cut down to whole MHz, so that a faster card can look equal (two cards of
//   46 multiprocessors, 1777000 and 1777500 kHz: right is 1, the answer is 0).
// want: A small card of its own beside an integrated device with much memory: which of them is of use, and which does your
//   first loop leave over?
#include "pick_device.h"

struct Candidate {
  unsigned long long memory;
  bool integrated;
  long long cycles;
};

static Candidate look_at(int device) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);

  int khz = 0;
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  const int mhz = khz / 1000;

  Candidate c;
  c.memory = prop.totalGlobalMem;
  c.integrated = prop.integrated != 0;
  c.cycles = (long long)prop.multiProcessorCount * mhz;  // millions a second
  return c;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  Candidate all[8];
  bool have_card = false;
  for (int i = 0; i < count && i < 8; i++) {
    all[i] = look_at(i);
    if (!all[i].integrated) have_card = true;
  }

  int best = -1;
  for (int i = 0; i < count && i < 8; i++) {
    if (have_card && all[i].integrated) continue;  // a card of its own wins anyway
    if (all[i].memory < bytes) continue;
    if (best == -1 || all[i].cycles > all[best].cycles) best = i;
  }
  return best;
}
