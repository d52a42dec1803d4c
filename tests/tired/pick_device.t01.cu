// SPDX-License-Identifier: Apache-2.0
// mistake: both sizes are compared in whole MiB, rounded down, so that a need up to 1 MiB - 1 byte above what the device
//   has passes. One device with 1073741824 bytes, bytes = 1073741825: 1024 >= 1024, the answer is 0 instead of -1.
//   The order among the devices is right.
// want: a device has exactly 1 GiB and the program needs one byte more: what do the two sides of your comparison say?
#include "pick_device.h"

#include <tuple>

struct Rank {
  int own_memory;
  long long cycles;
  bool operator<(const Rank& o) const { return std::tie(own_memory, cycles) < std::tie(o.own_memory, o.cycles); }
};

static unsigned mib(unsigned long long bytes) { return static_cast<unsigned>(bytes >> 20); }

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  int best = -1;
  Rank top{};
  for (int d = count - 1; d >= 0; --d) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    if (mib(p.totalGlobalMem) < mib(bytes)) continue;

    int khz = 0;
    cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, d);
    const Rank rank{!p.integrated, (long long)p.multiProcessorCount * khz};
    // We come from the back, so an equal one with a lower number replaces it.
    if (best < 0 || !(rank < top)) {
      best = d;
      top = rank;
    }
  }
  return best;
}
