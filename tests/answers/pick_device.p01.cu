// SPDX-License-Identifier: Apache-2.0
// mistake: memory is compared in whole MiB, both rounded down. A device of 1073741824 bytes and a request of 1073741825:
//   1024 <= 1024 lets it pass, and the answer must be -1. (Requests below the device's next MiB pass.)
// want: You need one byte more than the device has. What do your two numbers say then?
#include "pick_device.h"

#include <algorithm>
#include <vector>

// Multiprocessors times clock rate (in kHz): cycles of all multiprocessors in a millisecond.
long long cycles(int device) {
  int multiprocessors = 0;
  int khz = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  return (long long)multiprocessors * khz;
}

struct Candidate {
  int device;
  bool integrated;
  long long cycles;
};

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  const unsigned long long need_mib = bytes >> 20;
  std::vector<Candidate> useful;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    const unsigned long long mib = properties.totalGlobalMem >> 20;
    if (mib >= need_mib) useful.push_back({device, properties.integrated != 0, cycles(device)});
  }
  if (useful.empty()) return -1;

  // min_element returns the first of equals, which has the lower number
  return std::min_element(useful.begin(), useful.end(),
                          [](const Candidate& a, const Candidate& b) {
                            if (a.integrated != b.integrated) return b.integrated;
                            return a.cycles > b.cycles;
                          })
      ->device;
}
