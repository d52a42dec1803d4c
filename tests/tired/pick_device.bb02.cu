// SPDX-License-Identifier: Apache-2.0
// mistake: whether integrated devices are considered depends on whether any card exists, not on whether any card is of
//   use. A card with 8 GB and an integrated device with 64 GB, 32 GB wanted: the code looks among the cards only, finds
//   none with enough memory and returns -1; the integrated device is the answer.
// want: A small card and a large integrated device, and a program that fits only the second: which device does your
//   function look at?
#include "pick_device.h"

#include <vector>

struct Candidate {
  int number;
  bool card;
  unsigned long long memory;
  long long cycles;
};

static std::vector<Candidate> all_devices() {
  int count = 0;
  cudaGetDeviceCount(&count);

  std::vector<Candidate> list;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
    list.push_back({device, p.integrated == 0, p.totalGlobalMem, 1LL * p.multiProcessorCount * khz});
  }
  return list;
}

int pick_device(unsigned long long bytes) {
  const std::vector<Candidate> devices = all_devices();

  // Cards come first; the others only when there is none.
  bool cards = false;
  for (const Candidate& c : devices) cards = cards || c.card;

  const Candidate* best = nullptr;
  for (const Candidate& c : devices) {
    if (c.card != cards || c.memory < bytes) continue;
    if (best == nullptr || c.cycles > best->cycles) best = &c;
  }
  return best ? best->number : -1;
}
