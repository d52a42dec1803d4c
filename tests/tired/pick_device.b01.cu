// SPDX-License-Identifier: Apache-2.0
// mistake: memory is compared in whole MiB, both sides rounded down: a device with a few bytes less than needed
//   in the same MiB passes for large enough.
// want: a device with exactly 16 GiB and a program that needs 16 GiB + 1 byte: what are both in MiB? Compare
//   in the unit of the contract, bytes, in 64 bits.
#include <vector>

#include "pick_device.h"

struct Candidate {
  int device;
  bool integrated;
  long long throughput;
};

static int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// In MiB, so that the numbers are easy to handle.
static unsigned long long mebibytes(unsigned long long bytes) {
  return bytes >> 20;
}

static bool better(const Candidate& a, const Candidate& b) {
  if (a.integrated != b.integrated) return b.integrated;
  if (a.throughput != b.throughput) return a.throughput > b.throughput;
  return a.device < b.device;
}

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  std::vector<Candidate> candidates;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, device);
    if (mebibytes(properties.totalGlobalMem) >= mebibytes(bytes)) {
      const long long clock = attribute(cudaDevAttrClockRate, device);
      const long long multiprocessors = attribute(cudaDevAttrMultiProcessorCount, device);
      candidates.push_back({device, properties.integrated != 0, multiprocessors * clock});
    }
  }

  if (candidates.empty()) return -1;
  Candidate best = candidates[0];
  for (const Candidate& c : candidates) {
    if (better(c, best)) best = c;
  }
  return best.device;
}
