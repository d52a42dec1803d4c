// SPDX-License-Identifier: Apache-2.0
// mistake: memory is compared in whole MiB, and both sides are rounded down, so a device that lacks less than a MiB is
//   still taken. A device with exactly 8 GiB and bytes = 8 GiB + 1: -1 is right, this returns the device. The order of
//   the candidates is right: max_element gives the first of several equal ones, hence the lower number.
// want: Somebody needs one byte more than the device has. What do your two numbers look like then?
#include "pick_device.h"

#include <algorithm>
#include <tuple>
#include <vector>

long long cycles(int device) {
  int sms = 0;
  int clock = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
  return 1LL * sms * clock;
}

namespace {

struct Candidate {
  int number;
  bool own_memory;
  long long speed;
};

unsigned long long mib(unsigned long long bytes) { return bytes >> 20; }

bool worse(const Candidate& a, const Candidate& b) {
  return std::tie(a.own_memory, a.speed) < std::tie(b.own_memory, b.speed);
}

}  // namespace

int pick_device(unsigned long long bytes) {
  int count = 0;
  cudaGetDeviceCount(&count);

  std::vector<Candidate> candidates;
  for (int d = 0; d < count; ++d) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, d);
    if (mib(p.totalGlobalMem) >= mib(bytes)) {
      candidates.push_back({d, p.integrated == 0, cycles(d)});
    }
  }
  if (candidates.empty()) return -1;
  return std::max_element(candidates.begin(), candidates.end(), worse)->number;
}
