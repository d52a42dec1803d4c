// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: memory is compared in whole MiB, rounded down on both sides, so that a device with 8 GiB
//   is accepted for 8 GiB + 1 byte. And the clock is cut to whole MHz, so that of two devices with as many
//   multiprocessors at 1410000 and 1410900 kHz the first is taken for as good as the second and wins as the lower
//   number.
// want: What is lost when both numbers of bytes are divided by 1 MiB? Take a request that is one byte larger than
//   the device.
#include <tuple>

#include "pick_device.h"

// multiprocessors x MHz
long long cycles(int device) {
  int multiprocessors, khz;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, device);
  const int mhz = khz / 1000;
  return static_cast<long long>(multiprocessors) * mhz;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return -1;

  const unsigned long long need = bytes >> 20;  // MiB are handier

  // (own card?, cycles, -number): tuples compare from left to right
  std::tuple<bool, long long, int> best{false, -1, 1};
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    const unsigned long long have = p.totalGlobalMem >> 20;
    if (have < need) continue;

    const std::tuple<bool, long long, int> mine{p.integrated == 0, cycles(device), -device};
    if (mine > best) best = mine;
  }
  return -std::get<2>(best);
}
