// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) compares memory in whole MiB, both rounded down: a device with exactly 8 GiB passes for a program that
//   needs 8 GiB and 1 byte. (2) `>=` for equal cycles chooses the higher number.
// want: Two equal cards: which number should come back, and which does your comparison leave in `best`? (Then: what is
//   left of 8 GiB + 1 byte after the division?)
#include "pick_device.h"

long long cycles(int device) {
  int count, rate;
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, device);
  return static_cast<long long>(count) * rate;
}

// One number for a device: its own cards are far above every integrated device.
static long long score(int device, const cudaDeviceProp& prop) {
  const long long bonus = 1LL << 60;
  return cycles(device) + (prop.integrated ? 0 : bonus);
}

int pick_device(unsigned long long bytes) {
  const unsigned long long MIB = 1024ull * 1024ull;
  const unsigned long long mib_needed = bytes / MIB;

  int count = 0;
  cudaGetDeviceCount(&count);

  int best = -1;
  long long best_score = -1;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    const unsigned long long mib = prop.totalGlobalMem / MIB;
    if (mib >= mib_needed) {
      const long long s = score(device, prop);
      if (s >= best_score) {
        best_score = s;
        best = device;
      }
    }
  }
  return best;
}
